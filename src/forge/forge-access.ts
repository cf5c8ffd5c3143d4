/** Lets one process at a time use the forge, of those that share the project: two at once would send everything twice. GH3. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../kernel/clock.ts'
import type { Store } from '../kernel/store.ts'

export interface ForgeAccess {
  /** Does the work when no other process uses the forge. After `stop`, does nothing and returns undefined. */
  run<Value>(work: () => Promise<Value>): Promise<Value | undefined>
  /** Ends waiting for access; work under way continues. */
  stop(): void
}

/** For a process that has the project to itself. */
export const soleAccess: ForgeAccess = { run: (work) => work(), stop() {} }

/** A process that dies while it has access blocks the others for this long. */
const claimMs = 15_000
const renewMs = 5_000
const askAgainMs = 200

export function sharedAccess({ store, repo, clock }: { store: Store; repo: string; clock: Clock }): ForgeAccess {
  const name = `forge:${repo}`
  let isStopped = false
  const stopping = Promise.withResolvers<void>()
  const untilFree = async (holder: string): Promise<boolean> => {
    while (!isStopped) {
      if (await store.claim(name, holder, claimMs)) return true
      const pause = Promise.withResolvers<void>()
      const callOff = clock.after(askAgainMs, pause.resolve)
      await Promise.race([pause.promise, stopping.promise])
      callOff()
    }
    return false
  }
  return {
    async run(work) {
      const holder = randomUUID()
      if (!(await untilFree(holder))) return undefined
      let isOver = false
      let callOff = () => {}
      const renew = () => {
        if (!isOver) callOff = clock.after(renewMs, () => void store.claim(name, holder, claimMs).then(renew, renew))
      }
      renew()
      try {
        return await work()
      } finally {
        isOver = true
        callOff()
        // The log may be closed by now: the claim ends by itself.
        await store.release(name, holder).catch(() => {})
      }
    },
    stop() {
      isStopped = true
      stopping.resolve()
    },
  }
}
