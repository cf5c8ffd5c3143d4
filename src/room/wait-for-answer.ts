/** The second agent of a synthesis waits for the first for as long as the first shows activity. RD7. */
import type { Run } from '../kernel/engine.ts'
import { synthesisWait } from '../rules/room/synthesis-wait.ts'
import type { AnswerExit } from './answer.ts'
import type { RoomDeps } from './deps.ts'

/** An answer in progress. */
export interface PendingAnswer {
  agent: string
  exit: Promise<AnswerExit>
}

/** The state when the wait ends: full answers by agent, and agents that failed. All others passed or are still working. */
export interface AnswersSoFar {
  answers: Record<string, string>
  failed: string[]
}

/** Waits for the last of `pending`. Includes answers of earlier ones that arrive meanwhile, after their own wait timed out. */
export function waitForAnswer(run: Run, deps: RoomDeps, pending: readonly PendingAnswer[]): Promise<AnswersSoFar> {
  const last = pending.at(-1)!
  return run.step(
    `wait for ${last.agent}`,
    ({ signal }) => {
      const { silence_seconds, total_seconds } = deps.settings.synthesis
      const limits = { silence_ms: silence_seconds * 1000, total_ms: total_seconds * 1000 }
      const started = deps.clock.now()
      const soFar: AnswersSoFar = { answers: {}, failed: [] }
      return new Promise<AnswersSoFar>((resolve, reject) => {
        let cancelTimer = () => {}
        const fail = (reason: unknown) => {
          cancelTimer()
          reject(reason)
        }
        const end = () => {
          cancelTimer()
          resolve({ answers: { ...soFar.answers }, failed: [...soFar.failed] })
        }
        const check = () => {
          const ruling = synthesisWait(
            { started, lastSign: deps.signs.last(run.runId, last.agent), now: deps.clock.now() },
            limits,
          )
          if (ruling.kind === 'give_up') end()
          else cancelTimer = deps.clock.after(ruling.until - deps.clock.now(), check)
        }
        check()
        for (const { agent, exit } of pending) {
          exit.then((result) => {
            if (result.ok && !result.passed) soFar.answers[agent] = result.text
            else if (!result.ok) soFar.failed.push(agent)
            if (agent === last.agent) end()
          }, fail)
        }
        signal.addEventListener('abort', () => fail(signal.reason), { once: true })
      })
    },
    { stoppable: true },
  )
}
