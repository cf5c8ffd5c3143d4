/** Retries git while another process, such as the user's own git, holds a lock. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type GitAnswer, GitFailed, type GitRequest, runGit } from './git.ts'

/** Returns the last answer. `beforeRetry` cleans up after a failed attempt. */
export async function runGitPatiently(
  args: readonly string[],
  request: GitRequest,
  beforeRetry: () => Promise<void> = async () => undefined,
): Promise<GitAnswer> {
  for (let wait = 10; ; wait *= 2) {
    const answer = await runGit(args, request)
    if (answer.code === 0 || wait > longestWait || !isPassing(answer.complaint)) return answer
    await beforeRetry()
    await sleep(wait)
  }
}

export async function gitPatiently(args: readonly string[], request: GitRequest): Promise<Buffer> {
  const answer = await runGitPatiently(args, request)
  if (answer.code !== 0) throw new GitFailed(args, request.folder, answer)
  return answer.output
}

const longestWait = 2000

/** A held lock, or a worktree that is being added: git may read its record before it is complete. */
export function isPassing(complaint: string): boolean {
  return /Unable to create .*\.lock|could not lock|failed to read .*\/worktrees\/|worktrees\/.*: File exists/i.test(
    complaint,
  )
}
