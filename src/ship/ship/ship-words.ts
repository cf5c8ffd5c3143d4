/** The text of a ship's notices in its room. */
import type { Cost } from '../../kernel/ask/cost.ts'
import { costLine } from '../../kernel/ask/cost-line.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { isStopped, runFinished, runParked } from '../../kernel/run-events.ts'
import { questionAsked } from '../../kernel/runs/question-events.ts'
import { planFinished, planStarted } from '../../plan/events.ts'
import { issueMoved, shipFinished } from '../events.ts'
import type { RoomWords } from '../ship-room.ts'
import type { FeatureView, IssueView } from '../view.ts'

interface NoticedShip {
  run: string
  feature: string
}

/** Whether an event gets a notice. */
export function isNoticed(event: StoredEvent, ship: string): boolean {
  if (planStarted.is(event)) return true
  if (planFinished.is(event)) return event.data.status === 'done'
  if (issueMoved.is(event)) return ['DONE', 'BLOCKED', 'MANUAL_REQUIRED'].includes(event.data.to)
  if (questionAsked.is(event) || shipFinished.is(event)) return true
  if (event.run !== ship) return false
  if (runParked.is(event)) return true
  return runFinished.is(event) && event.data.status !== 'done'
}

export function noticeOf(event: StoredEvent, ship: NoticedShip, view: FeatureView): RoomWords {
  const plan = { label: 'Plan', address: `/plans/${encodeURIComponent(`${ship.run}/plan`)}` }
  const issues = { label: 'Issues', address: `/features/${encodeURIComponent(ship.feature)}` }
  const run = { label: 'Run', address: `/runs/${encodeURIComponent(ship.run)}` }
  if (planStarted.is(event)) return { text: outlook(event.data), links: [plan] }
  if (planFinished.is(event)) {
    const flawed = event.data.degraded ? ' Some of it could not be done as planned; the plan says what.' : ''
    const { contradictions = [], open_questions = [] } = event.data
    const open = [...contradictions, ...open_questions]
    const unsettled = open.length > 0 ? ` Open: ${asSentence(open.join('; '))}` : ''
    const text = `The plan is ready: ${count(event.data.issues, 'issue')}.${flawed}${unsettled}`
    return { text, links: [plan, issues] }
  }
  if (issueMoved.is(event)) {
    const { issue: number } = event.data
    const address = `${issues.address}/issues/${number}`
    return { text: issueWords(event.data, view), links: [{ label: `Issue #${number}`, address }] }
  }
  if (questionAsked.is(event)) {
    const address = event.run?.startsWith(`${ship.run}/plan`) ? plan.address : issues.address
    return { text: `A question waits for you: ${event.data.text}`, links: [{ label: 'Answer', address }] }
  }
  if (shipFinished.is(event)) return { text: summaryWords(event.data, view), links: [issues, plan, run] }
  if (runParked.is(event)) {
    const why = isStopped(event.data) ? 'Stopped' : `Stopped: ${firstLine(event.data.reason)}`
    return { text: `${why}. Nothing is lost; resume it to continue.`, links: [run] }
  }
  const reason = runFinished.is(event) ? event.data.reason : undefined
  return { text: `Not shipped: ${firstLine(reason ?? 'the run ended early')}.${standing(view)}`, links: [issues, run] }
}

/** Risks, and the estimate for the mode, before planning starts. */
function outlook({ mode, risk_flags, suggestion, estimates }: Outlook): string {
  const estimate = estimates.find((one) => one.mode === mode)
  const takes = estimate
    ? `, about ${count(estimate.calls, 'ask')} and ${Math.round(estimate.tokens / 1000)}k tokens`
    : ''
  const advice = suggestion && suggestion.mode !== mode ? ` ${suggestion.message}` : ''
  return `Planning in ${mode} mode${takes}. Risk: ${risk_flags.join(', ') || 'none found'}.${advice}`
}

interface Outlook {
  mode: string
  risk_flags: string[]
  suggestion: { mode: string; message: string } | null
  estimates: { mode: string; calls: number; tokens: number }[]
}

function issueWords(moved: { issue: number; to: string; cause: string; reason?: string }, view: FeatureView): string {
  const issue = view.issues.find(({ number }) => number === moved.issue)
  const name = `#${moved.issue}${issue ? ` ${issue.title}` : ''}`
  if (moved.to !== 'DONE') {
    const why = moved.reason === undefined ? '' : `: ${firstLine(moved.reason)}`
    return `${moved.to === 'BLOCKED' ? 'Blocked' : 'Left for a person'}: ${name}${why}`
  }
  const { done, all } = counted(view.issues)
  const attempt = issue && issue.attempts > 1 ? ` on attempt ${issue.attempts}` : ''
  const how = moved.cause === 'verified' ? `Done${attempt}` : 'Already implemented'
  return `${how} (${done} of ${all}): ${name}`
}

/** How many issues are done, what waits, the branch, and the cost. */
export function summaryWords(
  ended: {
    status: 'done' | 'failed'
    reason?: string
    branch: string
    merged?: boolean
    cost: Cost
    seconds: number
  },
  view: Pick<FeatureView, 'issues' | 'main'>,
): string {
  const { status, reason, branch, merged, cost, seconds } = ended
  const { done, all } = counted(view.issues)
  const waiting = view.issues.filter(({ state }) => state !== 'DONE' && state !== 'SPLIT')
  const what =
    status === 'failed'
      ? `Not shipped: ${firstLine(reason ?? 'no reason was given')}. ${done} of ${all} issues are done.`
      : `Shipped: ${done} of ${all} issues, ${merged ? `merged into ${view.main}` : `on ${branch}; merge it with: git merge ${branch}`}.`
  const waits =
    waiting.length > 0
      ? ` Waiting: ${waiting.map(({ number, state }) => `#${number} ${state.toLowerCase()}`).join(', ')}.`
      : ''
  return `${what}${waits} Spent: ${costLine(cost, seconds * 1000)}.`
}

/** The text with a full stop, unless it ends a sentence already. */
const asSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

function standing(view: FeatureView): string {
  const { done, all } = counted(view.issues)
  return all === 0 ? '' : ` ${done} of ${all} issues are done and stay.`
}

function counted(issues: readonly Pick<IssueView, 'state'>[]): { done: number; all: number } {
  const real = issues.filter(({ state }) => state !== 'SPLIT')
  return { done: real.filter(({ state }) => state === 'DONE').length, all: real.length }
}

const firstLine = (text: string) => text.split('\n')[0]!.replace(/[.:]+$/, '')

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
