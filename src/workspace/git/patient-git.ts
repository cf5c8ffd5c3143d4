/** Runs git again while another process, such as the user's own git, is in its way for a moment. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type GitAnswer, GitFailed, type GitRequest, runGit } from './git.ts'

/** The last answer, good or bad. `beforeRetry` clears what a failed try has left. */
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

/** A lock that is held, or a worktree that somebody is just adding: git reads its record before it is complete. */
export function isPassing(complaint: string): boolean {
  return /Unable to create .*\.lock|could not lock|failed to read .*\/worktrees\/|worktrees\/.*: File exists/i.test(
    complaint,
  )
}
