/** Facts about questions and runs that appear in a room's story, as a page needs them. */
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
  /** On whose behalf the agent is asked, where it is not its own. */
  for?: string
}

export type AskStarted = Question

export interface AskFinished extends Question {
  failure?: { reason: string; message: string }
  usage: Usage
  tries: number
  milliseconds: number
}

export const isAskStarted = (event: StoredEvent): event is StoredEvent<AskStarted> => event.type === 'ask.started'

export const isAskFinished = (event: StoredEvent): event is StoredEvent<AskFinished> => event.type === 'ask.finished'

/** However a run ends or stops going on by itself, nothing more is written in its name. */
export const isRunOver = (event: StoredEvent): boolean => event.type === 'run.finished' || event.type === 'run.parked'
