/** Handlers for the log, its payloads and the rules. */
import type { App } from '../../app.ts'
import type { Delta, DeltaPlace } from '../../kernel/ask/deltas.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { roomStream } from '../../room/events.ts'
import { isRuleName, loadRule, ruleNames } from '../../rules/catalogue.ts'
import { applyRule } from '../../rules/schema/rule.ts'
import type { logRoutes } from '../api/log.ts'
import type { Handlers } from '../api/route.ts'
import { eventStream } from './sse.ts'
import { readVisible } from './visible-events.ts'
import { wantsPage } from './wants-page.ts'

/** `closing` ends the open event streams when the server closes. */
export function logHandlers(app: App, closing: AbortSignal): Handlers<typeof logRoutes> {
  return {
    'GET /api/events': async ({ query, raw, person }) => {
      const sees = app.access.seesWholeLog(person) ? null : (event: StoredEvent) => app.access.seesEvent(person, event)
      const { after, before, limit = 1000, last, room, types, ...rest } = query
      const filter = {
        ...rest,
        ...(types === undefined ? {} : { types: types.split(',') }),
        ...(room === undefined ? {} : { stream: roomStream(room) }),
      }
      if (wantsPage(raw.headers.get('accept') ?? '')) {
        if (last !== undefined)
          return { events: await readVisible(app.store, { ...filter, after, before, last }, sees), next: null }
        const found = await readVisible(app.store, { ...filter, after: after ?? 0, before, limit: limit + 1 }, sees)
        const events = found.slice(0, limit)
        return { events, next: found.length > limit ? events.at(-1)!.seq : null }
      }
      const now = await app.store.lastSeq()
      const resumeFrom = lastEventId(raw.headers.get('last-event-id'))
      // A client may remember events that a damaged log has since lost: it continues from the end of the log.
      const start = resumeFrom === undefined ? (after ?? now) : Math.min(resumeFrom, now)
      const revoked = app.users.revocation(person)
      const visible = sees && {
        event: sees,
        delta: ({ stream }: DeltaPlace, { ask }: Delta) => app.access.seesAsk(person, { stream }, ask),
      }
      // Not AbortSignal.any: a combined signal can be garbage-collected while its listener still waits.
      const signals = [closing, raw.signal, revoked.signal]
      const stream = eventStream(app.store, app.deltas, {
        after: start,
        filter,
        visible,
        signals,
        ended: revoked.release,
      })
      return new Response(stream, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      })
    },
    'GET /api/payloads/:ref': async ({ params, query }) => {
      const bytes = await app.store.readPayload(params.ref, query)
      return new Response(new Uint8Array(bytes), {
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'private, max-age=31536000, immutable',
        },
      })
    },
    'POST /api/decide/:rule': async ({ params, body }) => {
      if (!isRuleName(params.rule))
        throw new ConveneError('unknown_rule', `there is no rule '${params.rule}'`, {
          status: 404,
          expected: ruleNames.join(' | '),
        })
      const ruling = applyRule(await loadRule(params.rule), body)
      if (!ruling.ok) throw new ConveneError(ruling.error.code, ruling.error.message, ruling.error)
      return ruling.output as Record<string, unknown>
    },
  }
}

function lastEventId(header: string | null): number | undefined {
  if (header === null || header === '') return undefined
  const seq = Number(header)
  if (!/^\d+$/.test(header) || !Number.isSafeInteger(seq))
    throw new ConveneError('invalid_input', 'Last-Event-ID is not a sequence number', {
      path: 'Last-Event-ID',
      expected: 'a whole number',
    })
  return seq
}
