/** What `team` measures: chains of durable steps that workers take from a queue in Postgres. */
import { setTimeout as pause } from 'node:timers/promises'
import { stepValue } from './chain.ts'

export interface ChainInput {
  steps: number
  /** How long each step waits, as for an agent. */
  stepMs: number
}

export type Step = (index: number, stepMs: number) => Promise<{ began: number }>

export type OpenTeamWorker = (url: string, capacity: number, step: Step) => Promise<void>

export type OpenTeamFront = (url: string) => Promise<{
  enqueue(id: string, input: ChainInput): Promise<void>
  /** When the first step of a chain began, once the chain has ended. */
  began(id: string): Promise<number>
  /** A query for the number of chains that ended. */
  done: string
  close(): Promise<void>
}>

/** The same clock in every process. */
export const now = () => performance.timeOrigin + performance.now()

export const step: Step = async (index, stepMs) => {
  const began = now()
  if (stepMs > 0) await pause(stepMs)
  return { began, ...stepValue(index) }
}
