/** Who works on an issue: a lock that lapses where its holder gives no sign of life. IS3. */
import type { Run } from '../../kernel/engine.ts'
import type { ShipDeps } from '../deps.ts'
import { lockReleased, lockTaken } from '../events.ts'
import { lockName, moveEvent, placeOf, readFeature } from '../feature-state.ts'
import { findIssue } from '../view.ts'

interface Locked {
  feature: string
  number: number
}

export function takeLock(run: Run, deps: ShipDeps, { feature, number }: Locked): Promise<boolean> {
  return run.step('take lock', async (step) => {
    const taken = await deps.store.claim(lockName(feature, number), run.runId, staleMs(deps))
    if (taken) step.emit(lockTaken.create(placeOf(feature, run.runId), { issue: number, holder: run.runId }))
    return taken
  })
}

export async function releaseLock(run: Run, deps: ShipDeps, { feature, number }: Locked): Promise<void> {
  const release = () => deps.store.release(lockName(feature, number), run.runId)
  await run.step('release lock', async (step) => {
    await release()
    step.emit(lockReleased.create(placeOf(feature, run.runId), { issue: number, holder: run.runId, stale: false }))
  })
  // Replayed after a restart the step does nothing, but the heart may have beaten once on the way here.
  await release()
}

const longestBeatMs = 30_000

/**
 * A run that was let go of never hears of it, so the heart also stops by itself: where the run is no longer attended,
 * and where the log is closed.
 */
export async function startHeartbeat(deps: ShipDeps, locked: Locked, holder: string): Promise<() => void> {
  const stale = staleMs(deps)
  const beat = async () => {
    if (!deps.activity.has(holder)) return clearInterval(timer)
    if (await deps.store.claim(lockName(locked.feature, locked.number), holder, stale))
      await takeUpAgain(deps, locked, holder)
  }
  const timer = setInterval(() => void beat().catch(() => clearInterval(timer)), Math.min(longestBeatMs, stale / 3))
  timer.unref()
  // Before the work goes on: its next move is one from IN_PROGRESS.
  await beat().catch(() => {})
  return () => clearInterval(timer)
}

/** While nobody was there to renew the lock it may have been found stale: whoever goes on says so. */
async function takeUpAgain(deps: ShipDeps, { feature, number }: Locked, holder: string): Promise<void> {
  const issue = findIssue(await readFeature(deps, feature), number)
  if (!issue || issue.session !== holder || issue.locked_by !== undefined) return
  if (issue.state !== 'INTERRUPTED' && issue.state !== 'READY') return
  const place = placeOf(feature, holder)
  const move = moveEvent(place, issue, 'started')
  const taken = lockTaken.create(place, { issue: number, holder })
  if (move) await deps.store.append([taken, move])
}

const staleMs = (deps: ShipDeps) => deps.settings.ship.stale_minutes * 60_000
