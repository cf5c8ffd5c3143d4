/** The points of a run's charts. Pure. */
import type { Convergence } from '../../../../src/runs/overview.ts'
import type { Slice, Slices } from '../../../../src/runs/overview-figures.ts'
import type { Point } from '../../ui/charts/scale.ts'
import { phaseLabel } from '../view/labels.ts'

/** Each slice's sum with all before it, at the slice's end; from nought. */
export function soFar({ from, width, list }: Slices, read: (slice: Slice) => number): Point[] {
  let sum = 0
  const points = list.map((slice, index) => {
    sum += read(slice)
    return { x: from + (index + 1) * width, y: sum }
  })
  return points.length === 0 ? [] : [{ x: from, y: 0 }, ...points]
}

export interface Curve {
  run: string
  phase: string
  title: string
  words: Point[]
  conclusions: Point[]
  verdict: string | null
}

/** Agreement over rounds for every phase that measured it. A repeated phase continues its count. */
export function curvesOf(measured: readonly Convergence[]): Curve[] {
  const curves = new Map<string, Curve>()
  for (const { run, phase, score, positions, verdict } of measured) {
    const key = JSON.stringify([run, phase])
    const curve = curves.get(key) ?? {
      run,
      phase,
      title: phaseLabel(phase),
      words: [],
      conclusions: [],
      verdict: null,
    }
    curves.set(key, curve)
    const x = Math.max(curve.words.at(-1)?.x ?? 0, curve.conclusions.at(-1)?.x ?? 0) + 1
    if (score !== null) curve.words.push({ x, y: score })
    if (positions !== null) curve.conclusions.push({ x, y: positions })
    curve.verdict = verdict
  }
  return [...curves.values()]
}
