/** Has opencode ask for edits and commands, and lets it refuse by itself what the user's own configuration forbids (AG2). */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { askedRules, type OwnRule } from '../../rules/agents/own-rules.ts'
import { removeFolder } from './empty-folder.ts'
import type { AgentProgram } from './process-group.ts'
import { StartFailed } from './start-failed.ts'

const patienceMs = 30_000

/** The tools to ask about, each under a pattern that names it alone: as the last rule that fits, it counts. */
const asked = { edit: 'edi?', bash: 'bas?' }

/** The variable that gives opencode those rules, with all that it holds already. */
export async function askingEnvironment(
  { argv, env }: AgentProgram,
  projectFolder: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const rules = await ownRules({ argv, env }, projectFolder, signal)
  const permission = Object.fromEntries(Object.entries(asked).map(([tool, key]) => [key, askedRules(rules, tool)]))
  const own = parsed(env.OPENCODE_CONFIG_CONTENT ?? '{}')
  const agents = own.agent ?? {}
  const build = agents.build ?? {}
  const before = typeof build.permission === 'string' ? { '*': build.permission } : build.permission
  const agent = { ...agents, build: { ...build, permission: { ...before, ...permission } } }
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...own, agent }) }
}

/** All rules of its agent `build`, as opencode itself reads them. */
async function ownRules({ argv, env }: AgentProgram, projectFolder: string, signal: AbortSignal): Promise<OwnRule[]> {
  const [program, ...words] = argv.slice(0, Math.max(0, argv.lastIndexOf('acp')))
  if (program === undefined)
    throw new StartFailed(
      'with permissions: ask its command must be plain words that end with acp, as in: opencode acp',
    )
  const folder = mkdtempSync(join(tmpdir(), 'convene-rules-'))
  try {
    const at = copySettings(projectFolder, folder)
    const { stdout } = await promisify(execFile)(program, [...words, 'debug', 'agent', 'build'], {
      cwd: at,
      env: { ...env },
      signal,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      maxBuffer: 16 * 1024 * 1024,
    })
    const { permission } = JSON.parse(stdout) as { permission: OwnRule[] }
    if (!Array.isArray(permission)) throw new Error('no rules')
    return permission
  } catch (error) {
    signal.throwIfAborted()
    const { stderr, message } = error as Error & { stderr?: string }
    const why = stderr?.trim() || message
    throw new StartFailed(`\`opencode debug agent build\` did not tell what your own opencode.json forbids: ${why}`)
  } finally {
    await removeFolder(folder)
  }
}

/** opencode writes into a project that has settings for it, so it reads a copy of those. Returns the copy of the project's folder. */
function copySettings(projectFolder: string, to: string): string {
  let top = projectFolder
  while (!existsSync(join(top, '.git')) && dirname(top) !== top) top = dirname(top)
  if (!existsSync(join(top, '.git'))) top = projectFolder
  for (let folder = projectFolder; ; folder = dirname(folder)) {
    const copy = join(to, relative(top, folder))
    for (const [part, pattern] of settings) copyMatching(join(folder, part), join(copy, part), pattern)
    if (folder === top) break
  }
  return join(to, relative(top, projectFolder))
}

/** Files that hold rules, by their folder. Its plugins are programs, which nothing here needs. */
const settings: readonly (readonly [string, RegExp])[] = [
  ['.', /^opencode\.jsonc?$/],
  ['.opencode', /^opencode\.jsonc?$/],
  ...['agent', 'agents', 'mode', 'modes'].map((name) => [join('.opencode', name), /\.md$/] as const),
]

function copyMatching(from: string, to: string, pattern: RegExp): void {
  const names = existsSync(from) ? readdirSync(from).filter((name) => pattern.test(name)) : []
  mkdirSync(to, { recursive: true })
  for (const name of names) copyFileSync(join(from, name), join(to, name))
}

interface Settings {
  agent?: Record<string, { permission?: string | Record<string, unknown> }>
}

function parsed(text: string): Settings {
  try {
    return JSON.parse(text) as Settings
  } catch {
    throw new StartFailed('OPENCODE_CONFIG_CONTENT is not JSON: correct or remove that variable')
  }
}
