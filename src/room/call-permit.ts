/** RD12: a room that is over its calls a minute waits; it is said once, and nothing is lost. */
import type { Run } from '../kernel/engine.ts'
import type { NewEvent } from '../kernel/events.ts'
import type { RoomDeps } from './deps.ts'

export async function permitCalls(
  run: Run,
  deps: RoomDeps,
  room: string,
  calls: number,
  tell: (words: string) => NewEvent,
): Promise<void> {
  for (let told = false; ; told = true) {
    const wait = await run.step('call permit', () => deps.meter.take(room, calls))
    if (wait === 0) return
    await waitForPermit(run, wait, told, tell)
  }
}

export async function waitForPermit(
  run: Run,
  wait: number,
  told: boolean,
  tell: (words: string) => NewEvent,
): Promise<void> {
  if (!told)
    await run.append(tell(`This room has made its calls for this minute; it goes on in ${Math.ceil(wait / 1000)} s.`))
  await run.sleep(wait, { stoppable: true })
}
