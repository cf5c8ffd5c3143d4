/** Runs actions that the server may refuse, one at a time, and reports the error. */
import { useRef, useState } from 'react'

export interface Actions {
  /** What is being done now. */
  busy: string | null
  problem: string | null
  /** True when it was done. */
  act(doing: string, call: () => Promise<unknown>): Promise<boolean>
}

/** Drops a repeat of the running action; queues a different one. */
export function useActions(): Actions {
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef<{ doing: string; done: Promise<boolean> } | null>(null)

  const carryOut = async (doing: string, call: () => Promise<unknown>) => {
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

  const act = async (doing: string, call: () => Promise<unknown>) => {
    const before = latest.current
    if (before?.doing === doing) return false
    const done = before ? before.done.then(() => carryOut(doing, call)) : carryOut(doing, call)
    const own = { doing, done }
    latest.current = own
    const isDone = await done
    if (latest.current === own) latest.current = null
    return isDone
  }
  return { busy, problem, act }
}
