/** Agreement measurements in order, with labels short enough for a chart. */
import type { PhaseView } from '../../../../src/plan/view.ts'
import { phaseTitle } from '../view/labels.ts'
import type { Point } from './convergence.tsx'

/** Of one phase, over its passes and rounds. */
export function pointsOf(passes: readonly PhaseView[]): Point[] {
  return passes.flatMap(({ pass, convergence }) =>
    convergence.map((measured) => ({
      label: passes.length > 1 ? `pass ${pass}, round ${measured.round}` : `round ${measured.round}`,
      measured,
    })),
  )
}

/** Of a whole plan: phase after phase. */
export function pointsOfPlan(phases: readonly PhaseView[]): Point[] {
  return phases.flatMap((phase) =>
    [...phase.earlier, phase].flatMap(({ pass, convergence }) =>
      convergence.map((measured, index) => ({
        label: `${phaseTitle(phase.id)}${pass > 1 ? ` ${pass}` : ''}${index > 0 ? `.${index + 1}` : ''}`,
        measured,
      })),
    ),
  )
}
