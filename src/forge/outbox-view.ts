/** The outbox view: what is still to be sent, and how Convene left each issue. A fold of the log. Browser-safe. */
import type { Fold } from '../kernel/fold.ts'
import { type ForgeChangeKind, forgeChanged, forgeFailed, forgeQueued, forgeSent, type Want } from './events.ts'

export interface OutboxEntry {
  repo: string
  feature: string
  number: number
  issue: number
  /** Wishes not yet confirmed by the forge, in order. */
  wishes: { id: string; seq: number; want: Want }[]
  failure?: { code: string; message: string; retryable: boolean; attempt: number; ts: string }
}

export interface KnownIssue {
  state: 'open' | 'closed'
  labels: string[]
}

/** An issue that Convene has updated, and its number in the feature. */
export interface TrackedIssue extends KnownIssue {
  feature: string
  number: number
  /** The `seq` of the event it is known from. */
  seq: number
}

export interface OutboxView {
  /** By `entryKey`, the oldest first. */
  waiting: Map<string, OutboxEntry>
  /** By repository and number. */
  known: Map<string, Map<number, TrackedIssue>>
  /** People's comments that were seen. */
  comments: Set<number>
  /** By repository: the ISO time until which the forge asked to be left alone. */
  notBefore: Map<string, string>
}

export const outboxView: Fold<OutboxView> = {
  initial: () => ({ waiting: new Map(), known: new Map(), comments: new Set(), notBefore: new Map() }),
  evolve(view, event) {
    if (forgeQueued.is(event)) {
      const { want, ...about } = event.data
      const entry: OutboxEntry = view.waiting.get(entryKey(about)) ?? { ...about, wishes: [] }
      entry.wishes.push({ id: event.id, seq: event.seq, want })
      view.waiting.set(entryKey(about), entry)
    }
    if (forgeSent.is(event)) {
      const { repo, issue, feature, number, labels, state, through } = event.data
      settle(view, entryKey(event.data), through)
      view.notBefore.delete(repo)
      const known = view.known.get(repo) ?? new Map<number, TrackedIssue>()
      view.known.set(repo, known.set(issue, { labels, state, feature, number, seq: event.seq }))
    }
    if (forgeChanged.is(event)) {
      const { repo, issue, change, label, comment } = event.data
      if (comment) view.comments.add(comment.id)
      const left = view.known.get(repo)?.get(issue)
      if (left) view.known.get(repo)!.set(issue, { ...changed(left, change, label), seq: event.seq })
    }
    if (forgeFailed.is(event)) {
      const { repo, code, message, retryable, attempt, not_before: notBefore } = event.data
      const entry = view.waiting.get(entryKey(event.data))
      if (entry) entry.failure = { code, message, retryable, attempt, ts: event.ts }
      if (notBefore) view.notBefore.set(repo, notBefore)
    }
    return view
  },
}

function changed(left: TrackedIssue, change: ForgeChangeKind, label?: string): TrackedIssue {
  const others = left.labels.filter((name) => name.toLowerCase() !== label?.toLowerCase())
  switch (change) {
    case 'closed':
      return { ...left, state: 'closed' }
    case 'reopened':
      return { ...left, state: 'open' }
    case 'label_removed':
      return { ...left, labels: others }
    case 'label_added':
      return { ...left, labels: label === undefined ? others : [...others, label] }
    case 'commented':
      return left
  }
}

export function entryKey({ repo, issue, feature, number }: Omit<OutboxEntry, 'wishes' | 'failure'>): string {
  return `${repo} ${issue} ${feature}#${number}`
}

/** The latest wish, with what it leaves out filled in from earlier ones. */
export function latestWant({ wishes }: OutboxEntry): Want {
  return Object.assign({}, ...wishes.map(({ want }) => want))
}

/** A wish that was queued while an earlier one was being sent stays queued. */
function settle(view: OutboxView, key: string, through: number): void {
  const entry = view.waiting.get(key)
  if (!entry) return
  view.waiting.delete(key)
  const wishes = entry.wishes.filter(({ seq }) => seq > through)
  const { failure: _, ...about } = entry
  if (wishes.length > 0) view.waiting.set(key, { ...about, wishes })
}
