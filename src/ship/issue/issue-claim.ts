/** Claims an issue for a run. The claim lapses unless its holder renews it. IS3. */
import type { Run } from '../../kernel/engine.ts'
import type { ShipDeps } from '../deps.ts'
import { lockReleased, lockTaken } from '../events.ts'
import { claimName, eventHeader, moveEvent, readFeature } from '../feature-state.ts'
import { findIssue } from '../view.ts'

interface ClaimedIssue {
  feature: string
  number: number
}

export function claimIssue(run: Run, deps: ShipDeps, { feature, number }: ClaimedIssue): Promise<boolean> {
  return run.step('take lock', async (step) => {
    const taken = await deps.store.claim(claimName(feature, number), run.runId, staleMs(deps))
    if (taken) step.emit(lockTaken.create(eventHeader(feature, run.runId), { issue: number, holder: run.runId }))
    return taken
  })
}

export async function releaseIssue(run: Run, deps: ShipDeps, { feature, number }: ClaimedIssue): Promise<void> {
  const release = () => deps.store.release(claimName(feature, number), run.runId)
  await run.step('release lock', async (step) => {
    await release()
    step.emit(lockReleased.create(eventHeader(feature, run.runId), { issue: number, holder: run.runId, stale: false }))
  })
  // A replayed step does nothing, but the heartbeat may have renewed the claim on the way here.
  await release()
}

const longestRenewalMs = 30_000

/**
 * Renews the claim until the result is called. A run that was parked is not notified, so renewal also stops when the run is
 * no longer active or the log is closed.
 */
export async function startHeartbeat(deps: ShipDeps, claimed: ClaimedIssue, holder: string): Promise<() => void> {
  const stale = staleMs(deps)
  const renew = async () => {
    if (!deps.activity.has(holder)) return clearInterval(timer)
    if (await deps.store.claim(claimName(claimed.feature, claimed.number), holder, stale))
      await restartIssue(deps, claimed, holder)
  }
  const timer = setInterval(() => void renew().catch(() => clearInterval(timer)), Math.min(longestRenewalMs, stale / 3))
  timer.unref()
  // Renew before the work continues: its next move is one from IN_PROGRESS.
  await renew().catch(() => {})
  return () => clearInterval(timer)
}

/** The claim may have been found stale while nobody renewed it: move the issue back to IN_PROGRESS. */
async function restartIssue(deps: ShipDeps, { feature, number }: ClaimedIssue, holder: string): Promise<void> {
  const issue = findIssue(await readFeature(deps, feature), number)
  if (!issue || issue.session !== holder || issue.locked_by !== undefined) return
  if (issue.state !== 'INTERRUPTED' && issue.state !== 'READY') return
  const header = eventHeader(feature, holder)
  const move = moveEvent(header, issue, 'started')
  const taken = lockTaken.create(header, { issue: number, holder })
  if (move) await deps.store.append([taken, move])
}

const staleMs = (deps: ShipDeps) => deps.settings.ship.stale_minutes * 60_000
