/** Moves a ref only from where it is believed to be. */
import { GitFailed } from './git.ts'
import { runGitPatiently } from './patient-git.ts'

/** False where the ref stands elsewhere. */
export async function moveRef(folder: string, ref: string, to: string, from: string | null): Promise<boolean> {
  const args = ['update-ref', ref, to, from ?? '0'.repeat(to.length)]
  const answer = await runGitPatiently(args, { folder })
  if (answer.code === 0) return true
  if (/but expected|reference already exists|unable to resolve reference/.test(answer.complaint)) return false
  throw new GitFailed(args, folder, answer)
}
