/** Stops a run and goes on with it. */
import { useState } from 'react'
import { resumeRun, stopRun } from './run-calls.ts'

export interface RunActions {
  busy: 'stopping' | 'resuming' | null
  problem: string | null
  stop(): void
  resume(): void
}

export function useRunActions(run: string): RunActions {
  const [busy, setBusy] = useState<RunActions['busy']>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const act = async (doing: NonNullable<RunActions['busy']>, call: (run: string) => Promise<unknown>) => {
    if (busy) return
    setBusy(doing)
    setProblem(null)
    try {
      await call(run)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(null)
    }
  }
  return { busy, problem, stop: () => void act('stopping', stopRun), resume: () => void act('resuming', resumeRun) }
}
