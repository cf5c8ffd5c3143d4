/** Cross-validation over groups: what is fitted, here only the threshold, never sees the group that it is judged on. */

export interface ScoredRound {
  score: number
  agree: boolean
  group: string
}

export interface HeldOut {
  /** The share of rounds judged rightly, each by a threshold chosen on the other groups. */
  accuracy: number
  groups: { name: string; threshold: number; right: number; of: number }[]
}

/** Undefined with fewer than two groups, or where the other groups of one hold rounds of one sort only. */
export function judgeHeldOut(rounds: readonly ScoredRound[]): HeldOut | undefined {
  const names = [...new Set(rounds.map(({ group }) => group))]
  if (names.length < 2) return undefined
  const groups: HeldOut['groups'] = []
  for (const name of names) {
    const threshold = bestThreshold(rounds.filter(({ group }) => group !== name))
    if (threshold === undefined) return undefined
    const held = rounds.filter(({ group }) => group === name)
    const right = held.filter(({ score, agree }) => score >= threshold === agree).length
    groups.push({ name, threshold, right, of: held.length })
  }
  return { accuracy: groups.reduce((sum, { right }) => sum + right, 0) / rounds.length, groups }
}

/** Halfway between the two neighbouring scores that separate best; of equally good ones, the middle one. */
function bestThreshold(rounds: readonly ScoredRound[]): number | undefined {
  if (new Set(rounds.map(({ agree }) => agree)).size < 2) return undefined
  const scores = [...new Set(rounds.map(({ score }) => score))].sort((a, b) => a - b)
  const cuts = scores.slice(1).map((score, index) => (score + scores[index]!) / 2)
  if (cuts.length === 0) return scores[0]
  const rightBy = cuts.map((cut) => rounds.filter(({ score, agree }) => score >= cut === agree).length)
  const most = Math.max(...rightBy)
  const best = cuts.filter((_, index) => rightBy[index] === most)
  return best[Math.floor(best.length / 2)]
}
