/** RD12: waits while a room is over its calls per minute, and posts one notice about it. */
import type { Run } from '../kernel/engine.ts'
import type { NewEvent } from '../kernel/events.ts'
import type { RoomDeps } from './deps.ts'

export async function permitCalls(
  run: Run,
  deps: RoomDeps,
  room: string,
  calls: number,
  createNotice: (words: string) => NewEvent,
): Promise<void> {
  for (let notified = false; ; notified = true) {
    const wait = await run.step('call permit', () => deps.meter.take(room, calls))
    if (wait === 0) return
    await waitForPermit(run, wait, notified, createNotice)
  }
}

export async function waitForPermit(
  run: Run,
  wait: number,
  notified: boolean,
  createNotice: (words: string) => NewEvent,
): Promise<void> {
  if (!notified) await run.append(createNotice(`Rate limit reached; resuming in ${Math.ceil(wait / 1000)} s.`))
  await run.sleep(wait, { stoppable: true })
}
