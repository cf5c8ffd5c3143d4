/** Whether the log, a branch or a commit already uses a feature name. */
import type { Store } from '../kernel/store.ts'
import { runGit } from '../workspace/git/git.ts'

export async function isFeatureTaken(feature: string, folder: string, store: Store): Promise<boolean> {
  const [known] = await store.read({ feature, limit: 1 })
  if (known) return true
  const branches = ['for-each-ref', '--count=1', '--format=%(refname)', ...refsOf(feature)]
  const commits = ['log', '--all', '--max-count=1', '--format=%H', '--fixed-strings', '--regexp-ignore-case']
  const named = [`Convene-Issue: ${feature}#`, `feat(${feature}): Implement issue #`].map((text) => `--grep=${text}`)
  const found = await Promise.all([branches, [...commits, ...named]].map((args) => output(args, folder)))
  return found.some((text) => text !== '')
}

const refsOf = (feature: string) => [`refs/heads/convene/${feature}/`, `refs/remotes/*/convene/${feature}/`]

/** Empty without a repository, or without a commit in it. */
async function output(args: readonly string[], folder: string): Promise<string> {
  const answer = await runGit(args, { folder }).catch(() => null)
  return answer?.code === 0 ? answer.output.toString().trim() : ''
}
