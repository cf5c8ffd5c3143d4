/** A project whose agents are real programs, each with an emulated model of its own on loopback. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { approved, buildProject, type Line, type Project, specOf } from '../../build/project.ts'
import { installManifest } from '../../support/installed-packages.ts'
import { type RealCli, realAgent } from './clis.ts'
import { type EmulatedMind, emulatedMind, type MindStep } from './emulated-mind.ts'

// opencode puts its program in place in an install script.
const installed = await installManifest('agents', join(import.meta.dirname, 'agents.json'), { scripts: true })

/** Why there are no real agents on this machine. */
export const reason = 'missing' in installed ? installed.missing : undefined
if (reason) console.warn(`skipped: real coding agents: ${reason}`)
export const bin = 'modules' in installed ? join(installed.modules, '.bin') : ''

/** Not below /tmp: Codex hides that from its own sandbox. */
export const homes = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'convene-tests',
  `homes-${process.pid}-${Math.random().toString(36).slice(2, 8)}`,
)
afterAll(() => rmSync(homes, { recursive: true, force: true, maxRetries: 5 }))

/** A real agent takes its time on a busy machine. */
export const patience = { timeout: 900_000 }

export interface RealProject {
  project: Project
  minds: Record<string, EmulatedMind>
  /** Each agent's home; every process that the agent starts has it in its environment. */
  homes: Record<string, string>
  /** What the configuration adds to each agent's environment. */
  envs: Record<string, Record<string, string>>
}

export async function realProject(
  agents: Record<string, RealCli>,
  {
    files = {},
    config = {},
    settings = {},
    lines = [{ when: { ask: 'review-impl' }, reply: approved }],
    isCriticHelper = true,
  }: {
    files?: Record<string, string>
    config?: object
    settings?: object
    lines?: Line[]
    isCriticHelper?: boolean
  } = {},
): Promise<RealProject> {
  const project = buildProject({ spec: specOf('inc'), lines, files })
  const minds: Record<string, EmulatedMind> = {}
  const places: Record<string, string> = {}
  const entries: Record<string, ReturnType<typeof realAgent>> = {}
  for (const [name, cli] of Object.entries(agents)) {
    const mind = await emulatedMind(project.worktrees)
    onTestFinished(() => mind.close())
    const home = join(homes, `${name}-${Math.random().toString(36).slice(2, 10)}`)
    mkdirSync(home, { recursive: true })
    minds[name] = mind
    places[name] = home
    entries[name] = { ...realAgent(cli, { home, url: mind.url, bin }), ...settings }
  }
  const written = JSON.parse(readFileSync(join(project.folder, 'convene.yaml'), 'utf8')) as object
  const critic = { provider: 'rehearsal', script: '../script.yaml', helper: isCriticHelper }
  const roles = { impl: Object.keys(agents)[0], tdd: 'critic' }
  project.write({
    'convene.yaml': JSON.stringify({ ...written, roles, ...config, agents: { ...entries, critic } }),
  })
  project.git('commit', '--quiet', '--all', '--message=agents')
  const envs = Object.fromEntries(Object.entries(entries).map(([name, { env }]) => [name, env]))
  return { project, minds, homes: places, envs }
}

export const reading = (cli: RealCli, path: string): MindStep => ({
  tool: cli.read(path).name,
  arguments: (folder) => cli.read(join(folder, path)).arguments,
})

export const writing = (cli: RealCli, path: string, content: string): MindStep => ({
  tool: cli.write(path, content).name,
  arguments: (folder) => cli.write(join(folder, path), content).arguments,
})

export const ending = (reply: unknown): MindStep[] => [
  { tool: /emit_exit/, arguments: () => reply as Record<string, unknown>, say: JSON.stringify(reply) },
  { say: 'Done.' },
]
