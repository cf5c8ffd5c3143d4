/** Runs git without a shell, and configured not to prompt, sign, or run hooks, filters and other programs (TR1). */
import { channel } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { ConveneError } from '../../kernel/errors.ts'
import { withoutPrograms } from './foreign-programs.ts'
import { type GitAnswer, startGit } from './git-process.ts'
import { gitStarter } from './git-starter.ts'

export type { GitAnswer } from './git-process.ts'

export interface GitRequest {
  folder: string
  env?: Record<string, string | undefined>
  input?: string | Buffer
  /** Stop git after this much output; the answer then has `cut`. */
  maxBytes?: number
  /** `own` keeps the user's hooks, signing and other settings: for the final merge only. */
  settings?: 'quiet' | 'own'
  /** Keeps the user's filters, such as LFS: for files in the user's own checkout. */
  usersFilters?: boolean
  signal?: AbortSignal
}

export class GitFailed extends ConveneError {
  readonly what: string
  readonly where: string
  readonly complaint: string

  constructor(args: readonly string[], where: string, answer: Pick<GitAnswer, 'code' | 'complaint'>) {
    const what = `git ${args.slice(0, shownArguments).join(' ')}${args.length > shownArguments ? ' …' : ''}`
    const complaint = answer.complaint.trim()
    super('git_failed', `${what} failed in ${where} (exit code ${answer.code})${complaint ? `: ${complaint}` : ''}`, {
      exitCode: 1,
      status: 500,
    })
    this.name = 'GitFailed'
    this.what = what
    this.where = where
    this.complaint = complaint
  }
}

/** Git's output without the final line break. Rejects with GitFailed unless git exits with 0. */
export async function git(args: readonly string[], request: GitRequest): Promise<string> {
  return (await gitBytes(args, request)).toString('utf8').replace(/\n$/, '')
}

export async function gitBytes(args: readonly string[], request: GitRequest): Promise<Buffer> {
  const answer = await runGit(args, request)
  if (answer.code !== 0) throw new GitFailed(args, request.folder, answer)
  return answer.output
}

/** Returns git's exit code in the answer. Rejects only if git cannot be started. */
export async function runGit(args: readonly string[], request: GitRequest): Promise<GitAnswer> {
  const { folder, settings = 'quiet', usersFilters: _, ...rest } = request
  const env = { ...gitEnvironment(process.env), ...request.env }
  const quiet = { ...env, ...(request.usersFilters ? {} : withoutPrograms(env)) }
  const began = finished.hasSubscribers ? performance.now() : 0
  try {
    // The user's hooks may prompt at the terminal, which only this process has.
    if (settings === 'own') return await startGit({ ...rest, args, folder, env })
    return await gitStarter.run({ ...rest, args: [...quietArguments, ...args], folder, env: quiet })
  } catch (error) {
    throw notStarted(error as NodeJS.ErrnoException, folder)
  } finally {
    if (finished.hasSubscribers) finished.publish({ args, began, ended: performance.now() })
  }
}

/** Reports the cost of git calls, for benchmarks. */
const finished = channel('convene:git')

/** The user's environment without variables that redirect git to another repository, index or object store. */
export function gitEnvironment(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !pointers.has(name))
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
}

const pointers = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_ATTR_SOURCE',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_EXTERNAL_DIFF',
  'GIT_GLOB_PATHSPECS',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REFLOG_ACTION',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
])

/** Off: a file system monitor would outlive its worktree, and recursion would follow a .gitmodules that an agent wrote. */
const quietSettings = [
  'core.quotePath=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  'core.splitIndex=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'core.sshCommand=false',
  'credential.helper=',
  'log.showSignature=false',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  'merge.conflictStyle=merge',
  'submodule.recurse=false',
  'worktree.useRelativePaths=false',
]

export const quietArguments = quietSettings.flatMap((setting) => ['-c', setting])

const shownArguments = 6

function notStarted(error: NodeJS.ErrnoException, folder: string): Error {
  if (error.name === 'AbortError') return error
  if (error.code === 'ENOENT' && existsSync(folder))
    return new ConveneError('git_missing', 'git is not installed, or not on the PATH', {
      expected: 'git 2.38 or newer',
    })
  return new ConveneError('git_not_started', `git cannot be started in ${folder}: ${error.message}`, {
    exitCode: 1,
    status: 500,
    cause: error,
  })
}
