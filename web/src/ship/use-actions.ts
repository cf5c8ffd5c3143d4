/** Does something that the server may refuse, one thing at a time, and says what it said. */
import { useState } from 'react'

export interface Actions {
  /** What is being done now. */
  busy: string | null
  problem: string | null
  /** True when it was done. */
  act(doing: string, call: () => Promise<unknown>): Promise<boolean>
}

export function useActions(): Actions {
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const act = async (doing: string, call: () => Promise<unknown>) => {
    if (busy !== null) return false
    setBusy(doing)
    setProblem(null)
    try {
      await call()
      return true
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      return false
    } finally {
      setBusy(null)
    }
  }
  return { busy, problem, act }
}
