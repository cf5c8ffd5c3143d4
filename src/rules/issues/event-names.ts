/** Turns issue events into the flat lines of the feature's mirror file. SPEC.md § EV. */

export interface IssueEvent {
  seq: number
  /** ISO time, or milliseconds since 1970. */
  ts: string | number
  type: string
  data: Readonly<Record<string, unknown>>
}

interface MirrorForm {
  event: string
  /** Fields of the event to include, in this order. */
  fields: readonly string[]
}

/** [EV1] A Map, because types come from the log and could be `constructor`. */
const mirrorForms: ReadonlyMap<string, MirrorForm> = new Map([
  ['issue.started', { event: 'issue_started', fields: ['session'] }],
  ['tests.written', { event: 'tests_written', fields: ['count'] }],
  ['implementation.completed', { event: 'implementation_complete', fields: [] }],
  ['verification.failed', { event: 'verification_failed', fields: ['failures'] }],
  ['retry.started', { event: 'retry_started', fields: ['attempt'] }],
  ['issue.done', { event: 'issue_done', fields: ['commit'] }],
])

export const mirroredTypes: readonly string[] = [...mirrorForms.keys()]

export interface MirrorLine {
  ts: string
  event: string
  issue: number
  [field: string]: unknown
  /** Distinguishes equal lines, and shows how far the mirror has come. */
  seq: number
}

/** [EV1] `null` for events that are not mirrored. */
export function mirrorLine({ seq, ts, type, data }: IssueEvent): MirrorLine | null {
  const form = mirrorForms.get(type)
  if (!form || typeof data.issue !== 'number') return null
  const given = form.fields.filter((field) => Object.hasOwn(data, field) && data[field] !== undefined)
  const fields = Object.fromEntries(given.map((field) => [field, data[field]]))
  return { ts: wholeSeconds(ts), event: form.event, issue: data.issue, ...fields, seq }
}

function wholeSeconds(ts: string | number): string {
  const date = new Date(ts)
  return Number.isNaN(date.getTime()) ? String(ts) : date.toISOString().replace(/\.\d+Z$/, 'Z')
}
