/** What the parts of a test command logged: which ran, where, and how each ended (`hooks/tests/parts.cjs`). */
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { type Complaint, complaintsIn } from '../../rules/evidence/lint-complaints.ts'
import { outputExcerpt } from '../../rules/evidence/output-excerpt.ts'
import { readLeftFile } from '../commands/read-left-file.ts'
import { runnerIn } from './recognise-runner.ts'
import { realFolder } from './resolve-missing.ts'
import { withoutColours } from './test-report.ts'
import type { CommandPart, FailedPart } from './test-run.ts'

/** A runner that started in some process of the command. */
export interface StartedRunner {
  runner: string
  format: string
  file: string
  folder: string
  part: string
  at: number
}

const runnerLine = z.object({
  runner: z.string(),
  format: z.string(),
  file: z.string(),
  folder: z.string(),
  part: z.string(),
  at: z.number(),
})
const partLine = z.object({
  id: z.string(),
  /** Parts of one chain have the same. */
  group: z.string(),
  /** The part that started it; empty for the test command's own. */
  parent: z.string(),
  /** The script of package.json that it belongs to. */
  script: z.string(),
  command: z.string(),
  folder: z.string(),
})
type Part = z.infer<typeof partLine>

/**
 * Any process of the command can write such a line: only reports in their folder count, and a runner that claims to run
 * elsewhere on this machine is taken to run in the first of the folders that the command may write to.
 */
export async function startedRunners(reports: string, writable: readonly string[]): Promise<StartedRunner[]> {
  const started = await linesOf(join(reports, 'runners.jsonl'), runnerLine)
  const roots = writable.flatMap((root) => [root, realFolder(root)])
  const isInside = (folder: string) => roots.some((root) => isWithin(resolve(folder), root))
  return started
    .filter(({ file }) => dirname(file) === reports)
    .map((runner) => (isInside(runner.folder) ? runner : { ...runner, folder: writable[0] ?? runner.folder }))
    .sort((a, b) => a.at - b.at)
}

/** The reports of runners that said that they found no tests. */
export async function emptyRunners(reports: string): Promise<string[]> {
  return (await readLeftFile(join(reports, 'empty.log'))).split('\n').filter((line) => line !== '')
}

export interface CommandParts {
  /** Those that started nothing else that was taken apart, in the order in which they started. */
  parts: CommandPart[]
  /** The first that failed the command without being a test runner. */
  failedPart?: FailedPart
  /** The others. */
  failedToo?: FailedPart[]
}

export async function commandParts(
  reports: string,
  folder: string,
  runners: readonly StartedRunner[],
): Promise<CommandParts> {
  const declared = await linesOf(join(reports, 'parts.jsonl'), partLine)
  const log = (await readLeftFile(join(reports, 'parts.log'))).split('\n').map((line) => line.split(' '))
  const started = log.filter(([, what]) => what === 'start').map(([id]) => id)
  const ended = new Map(log.filter(([, what]) => what !== 'start').map(([id, code]) => [id, Number(code)]))
  const inOrder = adopted(started.flatMap((id) => declared.find((part) => part.id === id) ?? []))
  const leaves = inOrder.filter(({ id }) => !inOrder.some(({ parent }) => parent === id))
  const about = (part: Part): CommandPart => {
    const runner =
      runners.findLast((each) => each.part === part.id && each.runner !== 'crash')?.runner ?? runnerIn(part.command)
    return {
      command: part.command,
      folder: relative(folder, part.folder) || '.',
      ...(runner ? { runner } : {}),
      exitCode: ended.get(part.id) ?? null,
    }
  }
  const byId = new Map(inOrder.map((part) => [part.id, part]))
  const failsAll = (id: string): boolean => {
    const part = byId.get(id)
    return part === undefined || (ended.get(id) !== 0 && failsAll(part.parent))
  }
  /** Another part of the same chain, or of one around it, comes later. */
  const isFollowed = (part: Part): boolean => {
    const siblings = declared.filter(({ group }) => group === part.group)
    const around = byId.get(part.parent)
    return siblings.at(-1)?.id !== part.id || comesFirst(part, around) || (around !== undefined && isFollowed(around))
  }
  const parts = leaves.map(about)
  const hasRunner = parts.some(({ runner }) => runner !== undefined)
  const failed = leaves.flatMap((part, at) => {
    // The last part of a command without a known runner is taken for the tests themselves.
    const isFault = ended.has(part.id) && failsAll(part.id) && !parts[at]!.runner && (hasRunner || isFollowed(part))
    return isFault ? [{ ...parts[at]!, id: part.id }] : []
  })
  const [failedPart, ...failedToo] = await Promise.all(failed.map((part) => withWords(reports, folder, part)))
  return { parts, ...(failedPart ? { failedPart } : {}), ...(failedToo.length > 0 ? { failedToo } : {}) }
}

/** With what a known linter printed, without the folder of this worktree: others stand elsewhere. */
async function withWords(
  reports: string,
  project: string,
  { id, ...part }: CommandPart & { id: string },
): Promise<FailedPart> {
  const printed = await readLeftFile(join(reports, `${id}.out`))
  if (printed === '') return part
  const own = [...new Set([project, realFolder(project)])]
  const plain = own.reduce((text, folder) => text.replaceAll(`${folder}/`, ''), withoutColours(printed))
  const complaints = complaintsIn(plain).map((one) => inProject(one, project, part.folder))
  return { ...part, excerpt: outputExcerpt(plain), complaints }
}

/** With the path from the project's folder: a tool names files from where it ran, or from the top. */
function inProject(one: Complaint, project: string, folder: string): Complaint {
  const { file, shown } = one
  if (file === undefined || isAbsolute(file)) return one
  const path = join(folder, file)
  const known =
    path.startsWith('..') || (!existsSync(join(project, path)) && existsSync(join(project, file))) ? file : path
  return { ...one, file: known, shown: shown.replace(file, () => known) }
}

/** Turbo keeps from its tasks which part started them: scripts that nobody started are its own. */
function adopted(parts: readonly Part[]): Part[] {
  const turbo = parts.find(({ command }) => /(?:^|[\s/])turbo\s/.test(command))
  if (!turbo) return [...parts]
  return parts.map((part) =>
    part.parent === '' && part.script !== '' && part !== turbo ? { ...part, parent: turbo.id } : part,
  )
}

/** A script that runs before another one: by npm's convention, or because a tool such as `run-s` was told so. */
function comesFirst({ script }: Part, around: Part | undefined): boolean {
  if (/^pre(?!view|pare$)/.test(script)) return true
  if (around === undefined || !/^(?:npx\s+)?(?:run-[sp]|npm-run-all2?|concurrently)\s/.test(around.command))
    return false
  const names = around.command.split(/\s+/).filter((word) => !word.startsWith('-'))
  return script !== '' && names.at(-1) !== script
}

async function linesOf<Line>(file: string, schema: z.ZodType<Line>): Promise<Line[]> {
  return (await readLeftFile(file)).split('\n').flatMap((line) => {
    try {
      return schema.safeParse(JSON.parse(line)).data ?? []
    } catch {
      return []
    }
  })
}
