/** Follows a build, plan, ship or feature run until it ends or needs a person. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Cost } from '../../kernel/ask/cost.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { isUsageFault, runFinished, runParked } from '../../kernel/run-events.ts'
import { type Question, questionAsked } from '../../kernel/runs/question-events.ts'
import type { Client } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { answerHint, questionText } from '../display/question-lines.ts'
import { answerHere } from './answer-here.ts'
import { Interruptions } from './interruptions.ts'
import { Spending } from './spending.ts'

export interface WorkReport {
  status: 'running' | 'waiting' | 'stopped' | 'done' | 'failed'
  questions?: Question[]
  /** What all of the work has cost, if the report says so itself. */
  cost?: Cost
}

export interface WorkDisplay {
  show(event: StoredEvent): void
  /** Takes in an event from before the run was resumed without showing it; returns the line it was shown as, if any. */
  skip(event: StoredEvent): string | null
  /** Ends the display for now: the result or a question follows. */
  over(): void
}

export interface FollowedWork<Report> {
  id: string
  /** Fetches the current state of the work. */
  report(): Promise<Report>
  /** Whether the printed result itself says what the work has cost. */
  printsCost?: boolean
  /** The log position at which the run was resumed: events up to it are not shown again. */
  resumedAt?: number
  /** Asks up to this log position belong to another command, and are not counted. */
  countsAfter?: number
}

export async function followWork<Report extends WorkReport>(
  client: Client,
  work: FollowedWork<Report>,
  output: Output,
  interrupted: AbortSignal,
  display: WorkDisplay,
): Promise<Report & Pick<WorkReport, 'cost'>> {
  const { id } = work
  const spending = new Spending(work.countsAfter)
  const interruptions = new Interruptions(id)
  const told = work.resumedAt === undefined ? display : sinceResumed(work.resumedAt, display, output)
  const shown: Pick<WorkDisplay, 'show'> = {
    show(event) {
      spending.see(event)
      if (interruptions.isUnimportant(event)) display.skip(event)
      else told.show(event)
    },
  }
  const stop = () => void client.call('POST /api/runs/:run/stop', { params: { run: id } }).catch(() => {})
  if (interrupted.aborted) stop()
  else interrupted.addEventListener('abort', stop, { once: true })
  const forget = client.onNewOwner(() => client.continueWork(id))
  try {
    const report = await untilOver()
    if (!(report.cost && work.printsCost)) spending.print(output, { isResumed: work.resumedAt !== undefined })
    return report.cost || !spending.cost ? report : { ...report, cost: spending.cost }
  } finally {
    forget()
  }

  async function untilOver(): Promise<Report> {
    const isOver = await answeredBefore(client)
    let after = 0
    for (;;) {
      after = await watch(client, work, after, shown, isOver)
      const report = await work.report()
      if (report.status === 'running') continue
      display.over()
      const { status, questions = [] } = report
      if (status === 'waiting' && canAnswer(output) && (await answerHere(client, questions, output))) continue
      return report
    }
  }
}

/** Shows only what is new since the run was resumed, after one line that says where that was. */
function sinceResumed(resumedAt: number, display: WorkDisplay, output: Output): Pick<WorkDisplay, 'show'> {
  let last: string | null = null
  let isNew = false
  return {
    show(event) {
      if (event.seq <= resumedAt) {
        last = display.skip(event) ?? last
        return
      }
      if (!isNew && last !== null) output.note(`continuing after: ${printable(last.trim())}`)
      isNew = true
      display.show(event)
    },
  }
}

/** Shows events until the run ends, is parked or waits for a person; returns the last event's number. */
async function watch(
  client: Client,
  { id, report }: FollowedWork<WorkReport>,
  from: number,
  display: Pick<WorkDisplay, 'show'>,
  isOver: (event: StoredEvent) => boolean,
): Promise<number> {
  const over = new AbortController()
  let after = from
  let asked = false
  const looking = abortWhenWaiting(report, over, () => asked)
  try {
    for await (const happening of client.follow({ run: id }, from, over.signal)) {
      if (!('event' in happening)) continue
      const { event } = happening
      after = event.seq
      if (isOver(event)) continue
      display.show(event)
      if (questionAsked.is(event)) asked = true
      if (event.run === id && (runFinished.is(event) || runParked.is(event))) break
    }
  } finally {
    over.abort()
    await looking
  }
  return after
}

/** Shows earlier progress when attaching to a run, without questions that were already answered. */
async function answeredBefore(client: Client): Promise<(event: StoredEvent) => boolean> {
  const began = Date.now()
  const { questions } = await client.call('GET /api/questions')
  const open = new Set(questions.map(({ id }) => id))
  return (event) => questionAsked.is(event) && Date.parse(event.ts) < began && !open.has(event.data.id)
}

/**
 * Ends the watch when the work waits for a person, or when nothing more of it can be recorded and so no event will say that
 * it ended. A question alone does not end the work: other agents may still be working.
 */
async function abortWhenWaiting(
  report: () => Promise<WorkReport>,
  over: AbortController,
  asked: () => boolean,
): Promise<void> {
  for (let seen = 0, looks = 0; seen < 2; looks++) {
    await pause(100, undefined, { signal: over.signal }).catch(() => {})
    if (over.signal.aborted) return
    if (!asked() && looks % looksWithoutQuestion !== 0) continue
    const current = await report().catch(() => null)
    if (current?.status === 'failed') break
    seen = asked() && current?.status === 'waiting' ? seen + 1 : 0
  }
  over.abort()
}

/** Without a question, check the state every two seconds. */
const looksWithoutQuestion = 20

/** Whether a person at this terminal can be asked. */
export const canAnswer = (output: Output) => !output.json && Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** The exit code of a command that followed the work. `code` is the error code of a failed run. */
export function exitCodeOf({ status, code }: WorkReport & { code?: string }): number {
  if (status === 'done') return 0
  if (status === 'waiting') return 3
  if (status === 'stopped') return 130
  if (isUsageFault(code)) return 2
  return code === 'out_of_time' ? 124 : 1
}

/** What a person can do about failed work: a parked run continues, an ended one is started again. `said` may name it already. */
export async function afterFailure(client: Client, run: string, again: string, said = ''): Promise<string[]> {
  const resume = `convene resume ${run}`
  if (said.includes(resume) || said.includes(again)) return []
  const { parked } = await client.call('GET /api/runs/:run', { params: { run } })
  return [parked ? `next: repair the cause, then: ${resume}` : `next: ${again}`]
}

export const stoppedLine = (run: string, output: Output) =>
  `${output.style('yellow', 'stopped')}  nothing is lost; continue with: convene resume ${run}`

/** Lists the open questions and how to answer them. */
export function questionLines(run: string, questions: readonly Question[], output: Output): string[] {
  const lines = questions.flatMap((question) => [
    ...questionText(question, output, questions).map((line) => `  ${line}`),
    output.style('dim', `  ${answerHint(question)}`),
  ])
  return [output.style('yellow', 'waits for you'), ...lines, output.style('dim', `then: convene resume ${run}`)]
}
