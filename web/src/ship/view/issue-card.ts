/** An issue as the board shows it: plain values, and the same object until something changes. */
import { afterBlocked } from '../../../../src/rules/issues/blocked-reason.ts'
import { eligibleIssues, type IssueSize } from '../../../../src/rules/issues/issue.ts'
import type { IssueState } from '../../../../src/rules/issues/issue-states.ts'
import type { FeatureView, IssueView } from '../../../../src/ship/view.ts'
import { rootOf } from '../../data/addresses/ship.ts'
import type { Tone } from '../../ui/chip.tsx'
import { clock, plural } from '../../ui/format.ts'
import type { AtWork, FeatureTimeline } from './feature-timeline.ts'
import { diagnosisLabel, doingLabel } from './labels.ts'

export const columns = [
  { id: 'backlog', title: 'Backlog' },
  { id: 'ready', title: 'Ready' },
  { id: 'progress', title: 'In progress' },
  { id: 'verifying', title: 'Verifying' },
  { id: 'blocked', title: 'Blocked' },
  { id: 'done', title: 'Done' },
] as const
export type Column = (typeof columns)[number]['id']

const columnOfState: Record<Exclude<IssueState, 'SPLIT'>, Column> = {
  BACKLOG: 'backlog',
  READY: 'ready',
  IN_PROGRESS: 'progress',
  INTERRUPTED: 'progress',
  VERIFYING: 'verifying',
  BLOCKED: 'blocked',
  SKIPPED: 'blocked',
  MANUAL_REQUIRED: 'blocked',
  DONE: 'done',
}

export const stateLabel: Record<IssueState, { word: string; tone: Tone }> = {
  BACKLOG: { word: 'backlog', tone: 'plain' },
  READY: { word: 'ready', tone: 'plain' },
  IN_PROGRESS: { word: 'in progress', tone: 'live' },
  INTERRUPTED: { word: 'interrupted', tone: 'warn' },
  VERIFYING: { word: 'verifying', tone: 'live' },
  DONE: { word: 'done', tone: 'ok' },
  BLOCKED: { word: 'blocked', tone: 'bad' },
  SKIPPED: { word: 'skipped', tone: 'warn' },
  SPLIT: { word: 'split', tone: 'plain' },
  MANUAL_REQUIRED: { word: 'left to you', tone: 'warn' },
}

export interface IssueCard {
  number: number
  title: string
  state: IssueState
  column: Column
  tone: Tone
  /** What happens now, where the column does not say it all. */
  words: string | null
  size: IssueSize
  commit: string | null
  dependsOn: number[]
  /** Those of them that are not done. */
  waitsFor: number[]
  /** The next that will be taken. */
  isNext: boolean
  agent: string | null
  lock: string | null
  evidence: { text: string; tone: Tone; title: string }[]
  reason: string | null
  diagnosis: string | null
  /** What a person can do about an issue that was given up. */
  next: string | null
  elsewhere: { branch: string; commit: string }[]
  github: number | null
  /** Null: nothing was built here that could be reviewed. */
  reviewed: boolean | null
  parts: number[]
  partOf: number | null
  /** Since when it is worked on. */
  since: string | null
  canUnblock: boolean
}

export interface CardContext {
  timeline: Pick<FeatureTimeline, 'asks' | 'runs'>
  /** The attempts an issue may take, if known. */
  mostAttempts: number | null
  /** The run that is at work. */
  run: string | null
}

export function cardsOf(view: FeatureView, context: CardContext, before: readonly IssueCard[] = []): IssueCard[] {
  const known = new Map(before.map((card) => [card.number, card]))
  const states = new Map(view.issues.map(({ number, state }) => [number, state]))
  const asked = new Map([...context.timeline.asks.values()].map((ask) => [ask.issue, ask]))
  const next = eligibleIssues(view.issues)[0]?.number
  return view.issues.map((issue) => {
    const card = cardOf(issue, { ...context, feature: view.feature, states, atWork: asked.get(issue.number), next })
    const earlier = known.get(card.number)
    return earlier && JSON.stringify(earlier) === JSON.stringify(card) ? earlier : card
  })
}

interface IssueContext extends CardContext {
  feature: string
  states: ReadonlyMap<number, IssueState>
  atWork: AtWork | undefined
  next: number | undefined
}

function cardOf(issue: IssueView, context: IssueContext): IssueCard {
  const { number, title, state, size, commit, depends_on, reason, elsewhere, github, parts = [], part_of } = issue
  const isBusy = state === 'IN_PROGRESS' || state === 'VERIFYING'
  const isBlocked = state === 'BLOCKED' || state === 'MANUAL_REQUIRED'
  return {
    number,
    title,
    state,
    column: columnOf(issue, context.states),
    tone: stateLabel[state].tone,
    words: wordsOf(issue, context),
    size,
    commit: state === 'DONE' && commit ? commit : null,
    dependsOn: depends_on,
    waitsFor: state === 'DONE' ? [] : depends_on.filter((one) => context.states.get(one) !== 'DONE'),
    isNext: number === context.next,
    agent: isBusy ? (context.atWork?.agent ?? null) : null,
    lock: issue.locked_by === undefined ? null : claimLabel(issue.locked_by, context),
    evidence: state === 'DONE' ? evidenceOf(issue) : [],
    reason: state === 'DONE' || isBusy ? null : (reason ?? null),
    diagnosis: isBlocked ? diagnosisOf(issue) : null,
    next: isBlocked ? afterBlocked(context.feature, number) : null,
    elsewhere: state === 'DONE' ? [] : elsewhere,
    github: github ?? null,
    reviewed: state === 'DONE' && issue.finished !== undefined ? issue.reviewed : null,
    parts,
    partOf: part_of ?? null,
    since: isBusy ? (issue.started ?? null) : null,
    canUnblock: isBlocked || state === 'SKIPPED',
  }
}

function diagnosisOf({ analyses }: IssueView): string | null {
  const last = analyses.at(-1)
  return last ? `${diagnosisLabel(last.diagnosis)} (${last.reason})` : null
}

/** A split issue is in the column of its first unfinished part. */
function columnOf({ state, parts = [] }: IssueView, states: ReadonlyMap<number, IssueState>): Column {
  if (state !== 'SPLIT') return columnOfState[state]
  const open = parts.map((part) => states.get(part)).find((one) => one !== undefined && one !== 'DONE')
  return open === undefined || open === 'SPLIT' ? 'progress' : columnOfState[open]
}

function wordsOf(issue: IssueView, { atWork, mostAttempts, states }: IssueContext): string | null {
  const { state, attempts, parts = [] } = issue
  switch (state) {
    case 'IN_PROGRESS': {
      const doing = atWork ? doingLabel(atWork.kind) : 'checking'
      return `${doing}, ${attemptLabel(attempts, mostAttempts)}`
    }
    case 'VERIFYING':
      return 'merged; verifying'
    case 'INTERRUPTED':
      return 'interrupted'
    case 'SKIPPED':
      return 'skipped'
    case 'MANUAL_REQUIRED':
      return 'left to you'
    case 'BLOCKED':
      return attempts > 0 ? `blocked after ${plural(attempts, 'attempt')}` : 'blocked'
    case 'SPLIT': {
      const done = parts.filter((part) => states.get(part) === 'DONE').length
      return `in ${plural(parts.length, 'part')}, ${done} done`
    }
    default:
      return null
  }
}

export const attemptLabel = (attempt: number, mostAttempts: number | null) =>
  `attempt ${attemptCount(attempt, mostAttempts)}`

export function attemptCount(attempt: number, mostAttempts: number | null): string {
  const at = Math.max(1, attempt)
  return mostAttempts === null ? `${at}` : `${at} of ${Math.max(mostAttempts, at)}`
}

function claimLabel(holder: string, { run, timeline }: CardContext): string {
  const root = rootOf(holder)
  if (run !== null && root === rootOf(run)) return 'claimed by this run'
  const known = timeline.runs.find(({ id }) => rootOf(id) === root)
  return known ? `claimed by the run of ${clock(known.ts)}` : `claimed by another run, ${root.slice(0, 12)}…`
}

/** Why it counts as done. */
function evidenceOf({ tests, done_by, finished, evidence }: IssueView): IssueCard['evidence'] {
  const detail = evidence.map((one) => one.detail).join('\n')
  const chips: IssueCard['evidence'] = []
  if (tests !== undefined)
    chips.push({ text: plural(tests, 'test'), tone: 'ok', title: `${tests} tests ran and passed` })
  if (done_by === 'commit' && finished === undefined) chips.push({ text: 'found in git', tone: 'plain', title: detail })
  if (done_by === 'tests') chips.push({ text: 'its tests pass', tone: 'ok', title: detail })
  if (done_by === 'person') chips.push({ text: 'marked by a person', tone: 'plain', title: detail })
  if (done_by === 'parts') chips.push({ text: 'all parts done', tone: 'ok', title: detail })
  return chips
}

/** Queued issues in the order they will start, others by number. */
export function byColumn(cards: readonly IssueCard[]): Map<Column, IssueCard[]> {
  const order = (card: IssueCard) => (card.isNext ? 0 : card.waitsFor.length === 0 ? 1 : 2)
  const found = Map.groupBy(cards, ({ column }) => column)
  found.set(
    'ready',
    (found.get('ready') ?? []).toSorted((a, b) => order(a) - order(b) || a.number - b.number),
  )
  return found
}
