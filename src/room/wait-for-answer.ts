/** The second agent of a synthesis waits for the first, as long as that one gives signs of life. RD7. */
import type { AskResult } from '../kernel/ask/ask.ts'
import type { Run } from '../kernel/engine.ts'
import { synthesisWait } from '../rules/room/synthesis-wait.ts'
import type { RoomDeps } from './deps.ts'

type Exit = AskResult<string>['exit']

/** An answer that is being given. */
export interface Begun {
  agent: string
  exit: Promise<Exit>
}

/** How it stands when the waiting is over: whole answers by agent, and who will give none. The others are still at work. */
export interface Waited {
  answers: Record<string, string>
  failed: string[]
}

/** Waits for the last of `begun`; one that was given up earlier may come back meanwhile, and is then read too. */
export function waitForAnswer(run: Run, deps: RoomDeps, begun: readonly Begun[]): Promise<Waited> {
  const last = begun.at(-1)!
  return run.step(
    `wait for ${last.agent}`,
    ({ signal }) => {
      const { silence_seconds, total_seconds } = deps.settings.synthesis
      const limits = { silence_ms: silence_seconds * 1000, total_ms: total_seconds * 1000 }
      const started = deps.clock.now()
      const waited: Waited = { answers: {}, failed: [] }
      return new Promise<Waited>((resolve, reject) => {
        let callOff = () => {}
        const giveUp = (reason: unknown) => {
          callOff()
          reject(reason)
        }
        const end = () => {
          callOff()
          resolve({ answers: { ...waited.answers }, failed: [...waited.failed] })
        }
        const look = () => {
          const ruling = synthesisWait(
            { started, lastSign: deps.signs.last(run.runId, last.agent), now: deps.clock.now() },
            limits,
          )
          if (ruling.kind === 'give_up') end()
          else callOff = deps.clock.after(ruling.until - deps.clock.now(), look)
        }
        look()
        for (const { agent, exit } of begun) {
          exit.then((given) => {
            if (given.ok) waited.answers[agent] = given.text
            else waited.failed.push(agent)
            if (agent === last.agent) end()
          }, giveUp)
        }
        signal.addEventListener('abort', () => giveUp(signal.reason), { once: true })
      })
    },
    { stoppable: true },
  )
}
