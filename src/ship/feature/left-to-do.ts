/** Reports the issues left when a run ran out of budget. BU1. */

import type { RunSummary } from '../../kernel/engine.ts'
import { isSpent } from '../../kernel/runs/parking.ts'
import type { IssueView } from '../view.ts'

export interface LeftToDo {
  /** Issues that are not done. */
  left?: number[]
  error?: { code: string; message: string }
}

export function leftToDo({ id, code, reason }: RunSummary, issues: readonly IssueView[]): LeftToDo {
  if (!isSpent(code)) return {}
  const open = issues.filter(({ state }) => state !== 'DONE' && state !== 'SPLIT')
  const done = issues.filter(({ state }) => state === 'DONE').length
  const rest =
    issues.length === 0
      ? 'the plan is not finished, so nothing is built yet'
      : open.length === 0
        ? 'every issue is done, but the last steps are not'
        : `done: ${done} of ${issues.length}; left to do: ${open.map(({ number, title, state }) => `#${number} ${title} (${state})`).join(', ')}`
  const message = `${reason ?? code}; ${rest}. Raise the budget in convene.yaml and continue with: convene resume ${id}`
  return { left: open.map(({ number }) => number), error: { code, message } }
}
