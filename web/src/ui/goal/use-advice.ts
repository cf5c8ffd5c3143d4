/** A goal's risks and estimates, requested when typing pauses. */
import { useEffect, useState } from 'react'
import { advisePlan, type PlanAdvice } from '../../data/calls/plans.ts'

const pauseMs = 350

export interface Advice {
  advice: PlanAdvice | null
  problem: string | null
  /** The advice shown is for an earlier text. */
  stale: boolean
}

/** Without a preset, the project's default applies. */
export function useAdvice(goal: string, preset?: string): Advice {
  const [shown, setShown] = useState<{ key: string; advice: PlanAdvice | null; problem: string | null } | null>(null)
  const wanted = goal.trim()
  const key = `${preset ?? ''} ${wanted}`
  useEffect(() => {
    if (wanted === '') return
    let isWanted = true
    const timer = setTimeout(() => {
      advisePlan(wanted, preset).then(
        (advice) => isWanted && setShown({ key, advice, problem: null }),
        (error) =>
          isWanted && setShown({ key, advice: null, problem: error instanceof Error ? error.message : String(error) }),
      )
    }, pauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key, wanted, preset])
  if (wanted === '') return { advice: null, problem: null, stale: false }
  return { advice: shown?.advice ?? null, problem: shown?.problem ?? null, stale: shown?.key !== key }
}
