/** The AUC of a score: the probability that a positive case scores higher than a negative one. */
export interface Scored {
  score: number
  positive: boolean
}

/** 1 is perfect, 0.5 a coin toss; equal scores count half. Undefined if one of the classes is missing. */
export function areaUnderCurve(cases: readonly Scored[]): number | undefined {
  const positives = cases.filter(({ positive }) => positive).length
  const negatives = cases.length - positives
  if (positives === 0 || negatives === 0) return undefined

  const sorted = [...cases].sort((one, other) => one.score - other.score)
  let won = 0
  let below = 0
  for (let from = 0; from < sorted.length; ) {
    let to = from
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to += 1
    const tied = sorted.slice(from, to)
    const tiedPositives = tied.filter(({ positive }) => positive).length
    const tiedNegatives = tied.length - tiedPositives
    won += tiedPositives * (below + tiedNegatives / 2)
    below += tiedNegatives
    from = to
  }
  return won / (positives * negatives)
}
