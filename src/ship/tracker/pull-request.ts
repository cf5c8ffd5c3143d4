/** Opens a pull request for a finished feature: pushes its branch with the user's git, then asks the forge. */
import { integrationBranch, shortName } from '../../build/branches.ts'
import { type Forge, ForgeFailed, pullRequestMarker } from '../../forge/forge.ts'
import { patiently } from '../../forge/patiently.ts'
import type { Run, StepContext } from '../../kernel/engine.ts'
import { isTransientPushFailure } from '../../rules/issues/push-failure.ts'
import { git, runGit } from '../../workspace/git/git.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import type { ShipDeps } from '../deps.ts'
import { pullRequestOpened } from '../events.ts'
import { eventHeader, readFeature } from '../feature-state.ts'
import type { FeatureView } from '../view.ts'

export interface Proposed {
  pull_request?: { number: number; url: string }
  /** Why there is none; the work stays on its branch. */
  reason?: string
}

export async function proposeMerge(run: Run, deps: ShipDeps, feature: string): Promise<Proposed> {
  const { forge, repo } = deps
  if (!forge || repo === undefined)
    return { reason: 'no pull request: forge.github.repo is not set in convene.yaml, or its token is missing' }
  const pushed = await run.step('push', (step) =>
    tryFor(step, deps, feature, () => push(deps, feature, repo, step.signal)),
  )
  if (pushed.reason !== undefined) return pushed
  return run.step('open pull request', async (step) => {
    const view = await readFeature(deps, feature)
    const opened = await tryFor(step, deps, feature, async () => open(await forge(), view))
    if (opened.reason !== undefined) return { reason: opened.reason }
    const { number, url } = opened
    const head = shortName(integrationBranch(feature))
    const data = { number, url, head, base: view.main, created: opened.created }
    step.emit(pullRequestOpened.create(eventHeader(feature, run.runId), data))
    return { pull_request: { number, url } }
  })
}

/** [GH3] Retries temporary failures: pushing twice is harmless, and an existing pull request is found first. */
async function tryFor<Value>(
  { signal }: StepContext,
  { clock }: ShipDeps,
  feature: string,
  call: () => Promise<Value>,
): Promise<Value | { reason: string }> {
  try {
    return await patiently(call, { clock, signal })
  } catch (error) {
    if (!(error instanceof ForgeFailed)) throw error
    if (!error.retryable) return { reason: `no pull request: ${error.message}` }
    const advice = `The work is on ${shortName(integrationBranch(feature))}; for another try: convene run ${feature} --pull-request`
    return { reason: `no pull request yet: ${error.message.replace(/\.$/, '')}. ${advice}` }
  }
}

const pushLimitMs = 300_000

/** Never forces, and uses the user's own credentials; the forge's token is used for its API alone. */
async function push(deps: ShipDeps, feature: string, repo: string, stop: AbortSignal): Promise<{ reason?: string }> {
  const { repository } = await deps.workspace()
  const branch = integrationBranch(feature)
  if ((await repository.resolve(branch)) === null)
    return { reason: `no pull request: there is no ${shortName(branch)}` }
  const remote = await remoteFor(repository, repo)
  if (remote === null)
    return {
      reason: `no pull request: no remote of this repository is ${repo}. Add it with: git remote add github https://github.com/${repo}.git`,
    }
  const env = deps.tokenName === undefined ? {} : { [deps.tokenName]: undefined }
  // TR1: the branch holds an agent's work, so no hook runs on it.
  const args = ['-c', 'core.hooksPath=/dev/null', 'push', '--quiet', '--no-verify', remote, `${branch}:${branch}`]
  // Without a terminal, a password prompt would wait for ever.
  const signal = AbortSignal.any([stop, AbortSignal.timeout(pushLimitMs)])
  const { code, complaint } = await runGit(args, { folder: repository.root, settings: 'own', env, signal }).catch(
    (error) => {
      if (stop.aborted || !signal.aborted) throw error
      return { code: 1, complaint: `there was no answer within ${pushLimitMs / 1000} seconds` }
    },
  )
  if (code === 0) return {}
  const message = `git push ${remote} ${shortName(branch)} failed: ${complaint.trim().slice(-500)}`
  const retryable = isTransientPushFailure(complaint)
  throw new ForgeFailed(retryable ? 'forge_unreachable' : 'forge_refused', message, { retryable })
}

/** The remote whose URL ends in the repository's name: ssh, https or a folder. */
async function remoteFor(repository: Repository, repo: string): Promise<string | null> {
  const names = (await git(['remote'], { folder: repository.root })).split('\n').filter(Boolean)
  const wanted = repo.toLowerCase()
  for (const name of names) {
    const { output } = await runGit(['remote', 'get-url', '--push', name], { folder: repository.root })
    const address = output
      .toString()
      .trim()
      .toLowerCase()
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
    if (address.split(/[/:]/).slice(-2).join('/') === wanted) return name
  }
  return null
}

type Opened = { number: number; url: string; created: boolean; reason?: undefined }

async function open(forge: Forge, view: FeatureView): Promise<Opened> {
  const { feature, main } = view
  return forge.openPullRequest({
    head: shortName(integrationBranch(feature)),
    base: main,
    title: titleOf(view),
    body: bodyOf(view),
    marker: pullRequestMarker(feature),
  })
}

function titleOf({ feature, issues }: FeatureView): string {
  const [only] = issues
  return issues.length === 1 ? `feat(${feature}): ${only!.title}` : `feat(${feature}): ${issues.length} issues`
}

function bodyOf({ issues }: FeatureView): string {
  const lines = issues.map(({ number, title, github, commit, state, reason }) => {
    const name = github === undefined ? `issue ${number}` : `closes #${github}`
    const note = state === 'DONE' ? (commit?.slice(0, 10) ?? 'done before') : `not done: ${reason ?? state}`
    return `- ${title.replaceAll(/\s+/g, ' ')} (${name}, ${note})`
  })
  return `Everything below was built and tested.\n\n${lines.slice(0, 200).join('\n')}`
}
