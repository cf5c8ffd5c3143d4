/** Stops a build and goes on with it. */
import { useState } from 'react'
import { resumeBuild, stopBuild } from './build-calls.ts'

export interface BuildActions {
  busy: 'stopping' | 'resuming' | null
  problem: string | null
  stop(): void
  resume(): void
}

export function useBuildActions(build: string): BuildActions {
  const [busy, setBusy] = useState<BuildActions['busy']>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const act = async (doing: NonNullable<BuildActions['busy']>, call: (build: string) => Promise<unknown>) => {
    if (busy) return
    setBusy(doing)
    setProblem(null)
    try {
      await call(build)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(null)
    }
  }
  return {
    busy,
    problem,
    stop: () => void act('stopping', stopBuild),
    resume: () => void act('resuming', resumeBuild),
  }
}
