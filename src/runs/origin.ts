/** Traces a line of code, a commit or an event back to its issue, criteria, run, decisions and questions. */

import { type Cost, costOf } from '../kernel/ask/cost.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { afterBlocked } from '../rules/issues/blocked-reason.ts'
import { trailersOf } from '../rules/merge/commit-message.ts'
import { featureGreenlit, type IssueDefinition, issueMoved } from '../ship/events.ts'
import { git } from '../workspace/git/git.ts'
import type { Repository } from '../workspace/git/repository.ts'
import { eventsLeadingTo } from './origin-history.ts'
import { type OriginWords, originWords } from './origin-words.ts'

export interface Origin {
  commit: string | null
  subject?: string
  author?: string
  issue: { feature: string; number: number } | null
  node?: string
  spec?: string
  criteria: string[]
  /** What the plan handed to the builder of the issue. */
  context?: string
  /** The same for a person. */
  words: OriginWords
  run: string | null
  /** The events that led to it, in order. */
  events: { seq: number; ts: string; type: string; actor?: string; summary: string }[]
  cost?: Cost
}

/** Whether the person who asks sees an event, or the work that a commit came from. */
export type SeesOrigin = (found: { event: StoredEvent } | { run: string | null; feature?: string }) => Promise<boolean>

/** Opens the repository only if needed: events have an origin in projects without a repository too. */
export async function findOrigin(
  openRepository: () => Promise<Repository>,
  store: Store,
  what: string,
  sees: SeesOrigin = async () => true,
): Promise<Origin> {
  const event = /^\d+$/.test(what) ? await eventBySeq(store, Number(what)) : await eventById(store, what)
  if (event && (await sees({ event }))) return fromEvent(store, event)
  const repository = await openRepository()
  // Editors and compilers append the column.
  const line = /^(.+?):(\d+)(?::\d+)?$/.exec(what)
  const commit = line ? await blame(repository, line[1]!, Number(line[2])) : await commitOf(repository, what)
  const origin = await fromCommit(repository, store, commit)
  if (await sees({ run: origin.run, feature: origin.issue?.feature })) return origin
  throw unknownOrigin(what)
}

function unknownOrigin(given: string): ConveneError {
  return new ConveneError('unknown_origin', `'${given}' is not an event, a commit or a file:line`, {
    path: 'what',
    expected: 'an event number, a commit, or a line such as src/app.ts:12',
    status: 404,
  })
}

async function fromCommit(repository: Repository, store: Store, commit: string): Promise<Origin> {
  const [subject = '', author = '', ...body] = (
    await git(['log', '-1', '--format=%s%n%an%n%b', commit], { folder: repository.root })
  ).split('\n')
  const trailers = new Map(trailersOf(body.join('\n')).map(({ key, value }) => [key, value]))
  const run = trailers.get('Convene-Run') ?? null
  const node = trailers.get('Convene-Node')
  const spec = trailers.get('Convene-Spec')
  const issue = issueOf(trailers.get('Convene-Issue')) ?? issueNamedIn(subject)
  const events = run === null ? [] : await store.read({ run: issueRunOf(run) })
  const about = events.filter((event) => isAbout(event, node))
  const criteria = (trailers.get('Convene-Criteria') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  const definition = await definitionOf(store, issue)
  const all = [...(await earlierEvents(store, issue, about[0])), ...about]
  return {
    commit,
    subject,
    author,
    issue,
    ...(node === undefined ? {} : { node }),
    ...(spec === undefined ? {} : { spec }),
    criteria,
    ...(definition?.context === undefined ? {} : { context: definition.context }),
    words: originWords(all, criteria, definition),
    run,
    events: all.map(describe),
    cost: costOf(about),
  }
}

async function fromEvent(store: Store, event: StoredEvent): Promise<Origin> {
  const run = event.run ?? null
  const events = run === null ? [event] : await store.read({ run, before: event.seq + 1 })
  const { mergeCommit, commit } = event.data as { mergeCommit?: string; commit?: string }
  const number = (event.data as { issue?: unknown }).issue ?? issueOfRun(run)
  const started = events.findLast(({ type }) => type === 'node.started')
  const { criteria = [] } = (started?.data ?? {}) as { criteria?: { id: string }[] }
  const issue = event.feature !== undefined && typeof number === 'number' ? { feature: event.feature, number } : null
  const ids = criteria.map(({ id }) => id)
  const definition = await definitionOf(store, issue)
  const all = [...(await earlierEvents(store, issue, events[0])), ...events.slice(-200)]
  return {
    commit: mergeCommit ?? commit ?? null,
    issue,
    criteria: ids,
    ...(definition?.context === undefined ? {} : { context: definition.context }),
    words: originWords(all, ids, definition),
    run,
    events: all.map(describe),
    cost: costOf(events),
  }
}

async function definitionOf(store: Store, issue: Origin['issue']): Promise<IssueDefinition | undefined> {
  if (!issue) return undefined
  const admitted = await store.read({ feature: issue.feature, types: [featureGreenlit.type] })
  const known = admitted.flatMap((event) => (featureGreenlit.is(event) ? event.data.issues : []))
  return known.findLast(({ number }) => number === issue.number)
}

/** The issue's run, which also contains what happened before and after its build: its choice, start and retries. */
const issueRunOf = (run: string) => run.replace(/(\/issue-\d+(?:-\d+)?)\/build$/, '$1')

async function earlierEvents(
  store: Store,
  issue: Origin['issue'],
  first: StoredEvent | undefined,
): Promise<StoredEvent[]> {
  return issue && first ? eventsLeadingTo(store, issue.feature, first.seq) : []
}

/** Finds the issue's number in the id of its run or of a run below it. */
function issueOfRun(run: string | null): number | undefined {
  const [, number] = /(?:^|\/)issue-(\d+)(?:\/|$)/.exec(run ?? '') ?? []
  return number === undefined ? undefined : Number(number)
}

/** Events of the node itself, and those that concern the whole run. */
function isAbout(event: StoredEvent, node: string | undefined): boolean {
  const { path } = event.data as { path?: unknown }
  return node === undefined || !Array.isArray(path) || path.join('/') === node
}

/** Messages are cut to this length. */
const maxTextLength = 300

function describe(event: StoredEvent) {
  const { seq, ts, type, actor, data } = event
  const { kind, exit, attempt, command, exit_code, reason, decision, mergeCommit, text, goal, level, outcome } =
    data as Record<string, unknown>
  const words = [
    typeof text === 'string' ? text.slice(0, maxTextLength) : undefined,
    goal,
    level,
    outcome,
    kind,
    exit,
    typeof attempt === 'number' && attempt > 1 ? `attempt ${attempt}` : undefined,
    command,
    exit_code === undefined ? undefined : `→ ${exit_code}`,
    typeof decision === 'object' && decision !== null ? (decision as { decision?: string }).decision : undefined,
    reason,
    nextStep(event),
    typeof mergeCommit === 'string' ? mergeCommit.slice(0, 10) : undefined,
  ]
  const summary = words.filter((one) => typeof one === 'string' && one !== '').join(' ')
  return { seq, ts, type, summary, ...(actor === undefined ? {} : { actor }) }
}

async function blame(repository: Repository, file: string, line: number): Promise<string> {
  const path = repository.prefix + file
  const options = { folder: repository.root }
  try {
    // Start at the commit that last changed the file, where its lines are the same: blame on a long history is slow.
    const last = (await git(['rev-list', '--max-count=1', 'HEAD', '--', path], options)) || 'HEAD'
    return (await git(['blame', '--porcelain', `-L${line},${line}`, last, '--', path], options)).split(' ')[0]!
  } catch (error) {
    throw new ConveneError('unknown_line', `${file}:${line} does not exist in the checked-out commit`, {
      path: 'what',
      cause: error,
      status: 404,
    })
  }
}

async function commitOf(repository: Repository, given: string): Promise<string> {
  const commit = given.startsWith('-') ? null : await repository.resolve(`${given}^{commit}`).catch(() => null)
  if (commit !== null) return commit
  throw unknownOrigin(given)
}

async function eventBySeq(store: Store, seq: number): Promise<StoredEvent | undefined> {
  const [event] = await store.read({ after: seq - 1, limit: 1 })
  return event?.seq === seq ? event : undefined
}

async function eventById(store: Store, id: string): Promise<StoredEvent | undefined> {
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id)) return undefined
  const [event] = await store.read({ id, limit: 1 })
  return event
}

function issueOf(name: string | undefined): Origin['issue'] {
  const at = name?.lastIndexOf('#') ?? -1
  if (name === undefined || at < 0) return null
  return { feature: name.slice(0, at), number: Number(name.slice(at + 1)) }
}

/** Commits made without Convene have no trailers, only a subject. */
function issueNamedIn(subject: string): Origin['issue'] {
  const [, feature, number] = /^feat\(([^()]+)\): Implement issue #(\d{1,16})(?!\w)/.exec(subject) ?? []
  return feature === undefined ? null : { feature, number: Number(number) }
}

/** IS6: what a person can do about an issue that was given up. */
function nextStep(event: StoredEvent): string | undefined {
  if (!issueMoved.is(event) || (event.data.to !== 'BLOCKED' && event.data.to !== 'MANUAL_REQUIRED')) return undefined
  return event.feature === undefined ? undefined : `Next: ${afterBlocked(event.feature, event.data.issue)}.`
}
