/** Decides which testers a plan that Convene sized itself needs. SPEC.md § RK4. */
import { words } from '../../text/words.ts'
import { defaultStrategyLimits, type StrategySignals } from '../strategy.ts'
import { abuseWords, loadWords } from './size-words.ts'

export interface TestedChange {
  goal: string
  /** RK1's categories in the goal. */
  risks: readonly string[]
  /** What research found. */
  signals: StrategySignals
}

/**
 * RK4: a low-risk change to a few files needs no abuse or load tester, unless the goal mentions it: they only produce lists for a
 * pure function. Every other role stays. `roles`: the testers of the team.
 */
export function testersNeeded(roles: readonly string[], { goal, risks, signals }: TestedChange): string[] {
  const { files_affected: files, security_keywords: security } = signals
  if (files === undefined || files > defaultStrategyLimits.files_affected) return [...roles]
  const said = words(goal)
  const speaksOf = (list: ReadonlySet<string>) => said.some((word) => list.has(word))
  const idle = new Set([
    ...(risks.length > 0 || (security ?? 0) > 0 || speaksOf(abuseWords) ? [] : ['qa-security']),
    ...(speaksOf(loadWords) ? [] : ['qa-performance']),
  ])
  const needed = roles.filter((role) => !idle.has(role))
  return needed.length > 0 ? needed : [...roles]
}
