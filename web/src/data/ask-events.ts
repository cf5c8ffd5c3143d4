/** The ask and run events that pages read, with their data. */
import type { StoredEvent } from '../../../src/kernel/events.ts'

export interface Usage {
  inputTokens: number
  outputTokens: number
  usd: number | null
  estimated?: boolean
}

interface Question {
  ask: string
  kind: string
  agent: string
  rehearsal: boolean
  /** The agent on whose behalf this one is asked, if another. */
  for?: string
}

export type AskStarted = Question

export interface AskFinished extends Question {
  failure?: { reason: string; message: string }
  usage: Usage
  tries: number
  milliseconds: number
}

/** An agent looked something up in the middle of an ask. */
export interface ToolUsed {
  ask?: string
  summary: string
  file?: string
}

export const isToolUsed = (event: StoredEvent): event is StoredEvent<ToolUsed> => event.type === 'tool.used'

export const isAskStarted = (event: StoredEvent): event is StoredEvent<AskStarted> => event.type === 'ask.started'

export const isAskFinished = (event: StoredEvent): event is StoredEvent<AskFinished> => event.type === 'ask.finished'

/** A run that finished or parked writes nothing more. */
export const isRunOver = (event: StoredEvent): boolean => event.type === 'run.finished' || event.type === 'run.parked'
