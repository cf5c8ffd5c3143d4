/** The workflow that answers a message: by the one agent it names, or with a coordinated round. */
import { type Run, RunCancelled, Stopped, type Workflow } from '../kernel/engine.ts'
import { stoppedCode } from '../kernel/run-events.ts'
import { parkingRun } from '../kernel/runs/patient-run.ts'
import type { Override } from '../rules/room/override.ts'
import { answer, notice } from './answer.ts'
import { permitCalls } from './call-permit.ts'
import type { RoomDeps } from './deps.ts'
import type { Attachment } from './events.ts'
import { playRound, type RoundResult, reasonOf } from './round.ts'

export interface AnswerInput {
  room: string
  message_id: string
  text: string
  mode: 'single' | 'coordinate'
  /** The agent to call in `single` mode. */
  target?: string
  override?: Override
  attachments?: Attachment[]
}

export function answerWorkflow(deps: RoomDeps): Workflow<AnswerInput, RoundResult> {
  return {
    name: 'room.answer',
    version: 1,
    async run(started, input) {
      const run = parkingRun(started, deps.parking)
      const roundEnds = deps.activity.begin(input.room)
      try {
        return input.mode === 'single' ? await singleCall(run, deps, input) : await playRound(run, deps, input)
      } catch (error) {
        if (error instanceof Stopped) {
          await run.append(notice(input, 'Stopped by user.', 'stopped'))
          return { reason: stoppedCode }
        }
        if (!(error instanceof RunCancelled)) {
          const why = error instanceof Error ? error.message : String(error)
          await run.append(notice(input, `Nobody could answer: ${why}`, 'unanswered'))
        }
        throw error
      } finally {
        roundEnds()
        deps.memories.forget(run.runId)
      }
    },
  }
}

/** No other agent steps in for one that was called by name: the room gets a notice if it fails. */
async function singleCall(run: Run, deps: RoomDeps, input: AnswerInput): Promise<RoundResult> {
  await permitCalls(run, deps, input.room, 1, (words) => notice(input, words))
  const exit = await answer(run, deps, input, { agent: input.target!, reportFailure: true })
  return exit.ok ? {} : { reason: reasonOf(exit.failure) }
}
