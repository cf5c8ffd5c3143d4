/** Chart arithmetic: round axis steps, and fewer points where there are too many to see. */
export interface Point {
  x: number
  y: number
}

export interface Span {
  from: number
  to: number
}

/** From nought up to a round number that nothing exceeds, in about so many round steps. */
export function axisSteps(highest: number, about = 3, whole = false): number[] {
  if (!(highest > 0) || !Number.isFinite(highest)) return [0, 1]
  const step = roundUp(highest / about, whole)
  const steps = Math.max(1, Math.ceil(highest / step - 1e-9))
  return Array.from({ length: steps + 1 }, (_, index) => tidy(index * step))
}

/** Of many points the ones that keep the shape: in each slice the first, the lowest, the highest and the last. */
export function thin(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points
  const slices = Math.max(1, Math.floor(most / 4))
  const kept: Point[] = []
  for (let slice = 0; slice < slices; slice += 1) {
    const from = Math.floor((slice * points.length) / slices)
    const to = Math.floor(((slice + 1) * points.length) / slices)
    let [lowest, highest] = [from, from]
    for (let at = from; at < to; at += 1) {
      if (points[at]!.y < points[lowest]!.y) lowest = at
      if (points[at]!.y > points[highest]!.y) highest = at
    }
    const wanted = new Set([from, lowest, highest, to - 1])
    for (const at of [...wanted].sort((one, other) => one - other)) kept.push(points[at]!)
  }
  return kept
}

export function spanOf(values: Iterable<number>): Span {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < from) from = value
    if (value > to) to = value
  }
  return from <= to ? { from, to } : { from: 0, to: 0 }
}

/** Where a value lies in its span, from 0 to 1. A span without width has everything in its middle. */
export function share(value: number, { from, to }: Span): number {
  return to > from ? (value - from) / (to - from) : 0.5
}

/** The point whose x is nearest; points are in order of x. */
export function nearest(points: readonly Point[], x: number): Point | undefined {
  let [low, high] = [0, points.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[middle]!.x < x) low = middle + 1
    else high = middle
  }
  const [before, after] = [points[low - 1], points[low]]
  if (!before || !after) return after
  return x - before.x <= after.x - x ? before : after
}

function roundUp(rough: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= rough * (1 - 1e-9))! * power
  return whole ? Math.max(1, Math.ceil(step)) : step
}

const tidy = (value: number) => Number(value.toPrecision(12))
