/** An issue as commands list it. */
import type { GitSync } from '../../rules/issues/git-sync.ts'
import { commitEvidence } from '../feature-state.ts'
import type { IssueView } from '../view.ts'
import { isUnreviewed } from './review-queue.ts'

export interface IssueLine {
  number: number
  title: string
  state: string
  reason?: string
  commit?: string
  evidence: { kind: string; detail: string }[]
  elsewhere: { branch: string; commit: string }[]
  /** The issues that must be done first; absent if there are none. */
  depends_on?: number[]
  /** Whether a person has reviewed it. Only for issues built here. */
  reviewed?: boolean
  /** The last change made by a person on the forge. */
  notices?: IssueView['notices']
}

export function lineOf(issue: IssueView): IssueLine {
  const { number, title, state, reason, commit, evidence, elsewhere, depends_on, reviewed, notices } = issue
  return {
    number,
    title,
    state,
    evidence,
    elsewhere,
    ...(reason === undefined ? {} : { reason }),
    ...(commit === undefined ? {} : { commit }),
    ...(depends_on.length > 0 ? { depends_on } : {}),
    ...(isUnreviewed(issue) || reviewed ? { reviewed } : {}),
    ...(notices.length > 0 ? { notices } : {}),
  }
}

/** Issues known from commits alone. */
export function issuesInGit({ done, reverted, elsewhere }: GitSync): IssueLine[] {
  const known = new Map(done.map((found) => [found.number, found]))
  const numbers = new Set([...known.keys(), ...reverted, ...elsewhere.map(({ number }) => number)])
  const others = Map.groupBy(elsewhere, ({ number }) => number)
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => {
      const found = known.get(number)
      const { commit, evidence = [] } = commitEvidence(found)
      return {
        number,
        title: found?.commit.subject ?? `Issue #${number}`,
        state: found ? 'DONE' : 'READY',
        evidence,
        elsewhere: (others.get(number) ?? []).map(({ commit: { branch = '', hash = '' } }) => ({
          branch,
          commit: hash,
        })),
        ...(commit === undefined ? {} : { commit }),
      }
    })
}
