/** Who did what and when, read from the log. */
import type { StoredEvent } from '../kernel/events.ts'
import { questionAnswered } from '../kernel/runs/question-events.ts'
import type { Store } from '../kernel/store.ts'
import { actionTaken, tokenReplaced, userAdded, userRemoved } from '../kernel/users/user-events.ts'
import { messagePosted, roomCreated, roomOverridden } from '../room/events.ts'
import { tokenHolder } from '../rules/team/roles.ts'

export interface AuditEntry {
  seq: number
  ts: string
  actor: string
  /** As the routes of the API are named. */
  action: string
  target: Record<string, string>
}

const audited = [
  actionTaken,
  userAdded,
  userRemoved,
  tokenReplaced,
  roomCreated,
  roomOverridden,
  messagePosted,
  questionAnswered,
].map(({ type }) => type)

export async function readAudit(
  store: Store,
  { before, limit = 100, actor }: { before?: number; limit?: number; actor?: string },
): Promise<{ entries: AuditEntry[]; next: number | null }> {
  const entries: AuditEntry[] = []
  // Facts of the holder of the server's token may have no actor.
  const named = actor === undefined || actor === tokenHolder.name ? {} : { actor }
  for (let end = before; ; ) {
    const page = await store.read({ types: audited, before: end, last: limit + 1, ...named })
    entries.push(
      ...page
        .reverse()
        .map(toEntry)
        .filter((entry) => actor === undefined || entry.actor === actor),
    )
    if (entries.length > limit) return { entries: entries.slice(0, limit), next: entries[limit - 1]!.seq }
    if (page.length <= limit) return { entries, next: null }
    end = page.at(-1)!.seq
  }
}

function toEntry(event: StoredEvent): AuditEntry {
  const { seq, ts, actor = tokenHolder.name } = event
  return { seq, ts, actor, ...actionIn(event) }
}

function actionIn(event: StoredEvent): Pick<AuditEntry, 'action' | 'target'> {
  if (actionTaken.is(event)) return event.data
  if (userAdded.is(event)) return { action: 'addUser', target: { user: event.data.name, role: event.data.role } }
  if (userRemoved.is(event)) return { action: 'removeUser', target: { user: event.data.name } }
  if (tokenReplaced.is(event)) return { action: 'replaceToken', target: { user: event.data.name } }
  if (roomCreated.is(event)) return { action: 'createRoom', target: { room: event.data.id, name: event.data.name } }
  if (roomOverridden.is(event)) return { action: 'overrideRoom', target: { room: event.data.room } }
  if (questionAnswered.is(event))
    return { action: 'answerQuestion', target: { question: event.data.id, ...(event.run ? { run: event.run } : {}) } }
  return {
    action: 'postMessage',
    target: { room: event.stream.replace(/^room:/, ''), ...(event.run ? { run: event.run } : {}) },
  }
}
