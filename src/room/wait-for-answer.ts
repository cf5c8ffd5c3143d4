/** The second agent of a synthesis waits for the first, as long as that one gives signs of life. RD7. */
import type { AskResult } from '../kernel/ask.ts'
import type { Run } from '../kernel/engine.ts'
import { synthesisWait } from '../rules/synthesis-wait.ts'
import type { RoomSurroundings } from './surroundings.ts'

type Exit = AskResult<string>['exit']

export type Waited = { kind: 'answered'; text: string } | { kind: 'failed' } | { kind: 'silent'; because: string }

export function waitForAnswer(
  run: Run,
  around: RoomSurroundings,
  before: { agent: string; exit: Promise<Exit> },
): Promise<Waited> {
  return run.step(
    `wait for ${before.agent}`,
    ({ signal }) => {
      const { silence_seconds, total_seconds } = around.settings.synthesis
      const limits = { silence_ms: silence_seconds * 1000, total_ms: total_seconds * 1000 }
      const started = around.clock.now()
      return new Promise<Waited>((resolve, reject) => {
        let callOff = () => {}
        const end = (waited: Waited) => {
          callOff()
          resolve(waited)
        }
        const look = () => {
          const ruling = synthesisWait(
            { started, lastSign: around.signs.last(run.runId, before.agent), now: around.clock.now() },
            limits,
          )
          if (ruling.kind === 'give_up') end({ kind: 'silent', because: ruling.because })
          else callOff = around.clock.after(ruling.until - around.clock.now(), look)
        }
        look()
        before.exit.then(
          (exit) => end(exit.ok ? { kind: 'answered', text: exit.text } : { kind: 'failed' }),
          (error) => {
            callOff()
            reject(error)
          },
        )
        signal.addEventListener(
          'abort',
          () => {
            callOff()
            reject(signal.reason)
          },
          { once: true },
        )
      })
    },
    { stoppable: true },
  )
}
