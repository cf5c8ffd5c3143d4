/** A finished span, before any SDK is loaded. */
import { createHash } from 'node:crypto'

export type AttributeValue = string | number | boolean | string[]

export interface FinishedSpan {
  name: string
  /** `client`: a call to somebody else's service. */
  kind: 'internal' | 'client'
  traceId: string
  spanId: string
  parentId?: string
  /** Unix milliseconds. */
  start: number
  end: number
  attributes: Record<string, AttributeValue>
  /** What went wrong, in a word. */
  error?: string
}

/** Takes finished spans. Never throws and never waits. */
export type SpanSink = (span: FinishedSpan) => void

/** The same for a run and everything below it, in every process: a resumed run continues its trace. */
export const traceIdOf = (rootRun: string) => hex(`trace ${rootRun}`, 32)

/** `salt` differs between processes: a step that is executed again after a crash is another span. */
export const spanIdOf = (salt: string, name: string) => hex(`span ${salt} ${name}`, 16)

function hex(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}
