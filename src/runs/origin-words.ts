/** What led to a change, in words: criteria, decisions with who made them on what grounds, and how it was checked. Pure. */
import { evidenceRecorded, nodeStarted, replyRefused, taskPut } from '../build/events.ts'
import { askFinished } from '../kernel/ask/ask-events.ts'
import type { StoredEvent } from '../kernel/events.ts'
import { questionAnswered, questionAsked } from '../kernel/runs/question-events.ts'
import { decisionRecorded } from '../plan/events.ts'
import { refusalLine } from '../rules/evidence/refusal-line.ts'
import type { KeyDecision } from '../rules/plan/phase-summary.ts'
import { phaseById } from '../rules/plan/phase-table.ts'
import { oneLine } from '../rules/text/one-line.ts'
import { failureAnalysed, type IssueDefinition } from '../ship/events.ts'

export interface OriginWords {
  /** The issue's title, or the description of what was built. */
  title?: string
  criteria: { id: string; text: string }[]
  decisions: { decision: string; by: string; grounds?: string }[]
  /** What Convene saw while the change was made. */
  checks: string[]
}

const mostDecisions = 6

export function originWords(
  events: readonly StoredEvent[],
  criteria: readonly string[],
  issue: IssueDefinition | undefined,
): OriginWords {
  const node = events.findLast((event) => nodeStarted.is(event))
  const known = [...(issue?.acceptance_criteria ?? []), ...(node && nodeStarted.is(node) ? node.data.criteria : [])]
  const title = issue?.title ?? (node && nodeStarted.is(node) ? oneLine(node.data.description, 200) : undefined)
  return {
    ...(title === undefined ? {} : { title }),
    criteria: criteria.map((id) => ({ id, text: known.find((one) => one.id === id)?.text ?? id })),
    decisions: [...planned(events, issue?.decisions), ...staffed(events), ...answered(events), ...analysed(events)],
    checks: checksOf(events),
  }
}

/** The plan's decisions that the issue names, otherwise the most certain ones. */
function planned(events: readonly StoredEvent[], named: readonly string[] = []): OriginWords['decisions'] {
  const all = events.filter((event) => decisionRecorded.is(event))
  const own = all.filter(({ data }) => named.includes(data.decision.id))
  const sure = all.filter(({ data }) => data.decision.confidence === 'HIGH')
  const shown = own.length > 0 ? own : (sure.length > 0 ? sure : all).slice(-mostDecisions)
  const agents = new Map(events.flatMap((event) => (askFinished.is(event) ? [[event.data.ask, event.data.agent]] : [])))
  return shown.map(({ data: { decision, phase, ask } }) => {
    const agent = ask === undefined ? undefined : agents.get(ask)
    const where = `${phaseById(phase).name.toLowerCase()} phase of the plan`
    return {
      decision: oneLine(decision.decision, 300),
      by: agent === undefined ? where : `${agent}, ${where}`,
      ...groundsOf(decision),
    }
  })
}

/** Of a person's answer also what was asked. */
function groundsOf({ rationale = '', question }: KeyDecision): { grounds?: string } {
  const grounds = [rationale, question ? `asked: ${question}` : ''].filter(Boolean).join('; ')
  return grounds === '' ? {} : { grounds: oneLine(grounds, 300) }
}

/** GR13: who did what in the build, and why, by agent. */
function staffed(events: readonly StoredEvent[]): OriginWords['decisions'] {
  const tasks = new Map<string, Set<string>>()
  for (const event of events) {
    if (!taskPut.is(event) || event.data.grounds === undefined || taskNames[event.data.kind] === undefined) continue
    const key = `${event.data.agent}\n${event.data.grounds}`
    tasks.set(key, (tasks.get(key) ?? new Set()).add(taskNames[event.data.kind]!))
  }
  return [...tasks].map(([key, names]) => {
    const [agent, grounds] = key.split('\n') as [string, string]
    return { decision: `${agent}: ${[...names].join(', ')}`, by: "Convene's rule", grounds }
  })
}

const taskNames: Record<string, string> = {
  scaffold: 'interface',
  'write-tests': 'tests',
  implement: 'code',
  'review-impl': 'review',
}

function answered(events: readonly StoredEvent[]): OriginWords['decisions'] {
  const asked = new Map(events.flatMap((event) => (questionAsked.is(event) ? [[event.data.id, event.data.text]] : [])))
  return events.flatMap((event) => {
    if (!questionAnswered.is(event)) return []
    const { id, choice, text } = event.data
    const question = asked.get(id)
    return question === undefined
      ? []
      : [{ decision: oneLine(choice ?? text ?? '', 300), by: 'you', grounds: `asked: ${oneLine(question, 200)}` }]
  })
}

function analysed(events: readonly StoredEvent[]): OriginWords['decisions'] {
  return events.flatMap((event) => {
    if (!failureAnalysed.is(event)) return []
    const { attempt, by, recommendation, reason } = event.data
    const decision = `after attempt ${attempt}: ${recommendation}`
    return [{ decision, by: by === 'rule' ? "Convene's rule" : 'the coordinator', grounds: oneLine(reason, 300) }]
  })
}

function checksOf(events: readonly StoredEvent[]): string[] {
  const refused = events.flatMap((event) =>
    replyRefused.is(event)
      ? [
          `attempt ${event.data.attempt} was sent back: ${refusalLine(event.data.problems[0]?.message ?? '', event.data.problems[0]?.path)}`,
        ]
      : [],
  )
  const claim = events.findLast((event) => evidenceRecorded.is(event) && event.data.purpose === 'claim')
  if (!claim || !evidenceRecorded.is(claim)) return refused
  const { exit_code, tests } = claim.data
  const counts = tests ? `${tests.passed} passed, ${tests.failed} failed` : `exit code ${exit_code}`
  return [...refused, `Convene ran the tests itself: ${counts}`]
}
