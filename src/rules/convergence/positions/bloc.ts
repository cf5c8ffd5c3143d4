/** How far a group stands behind one answer. */

/** Whoever dissents keeps the score below this, and so below `high`: agreement means that everybody agrees. */
export const dissentCeiling = 0.69

/**
 * 1 where all stand together. Otherwise the share of the others who stand with the largest bloc, scaled to the ceiling:
 * two against one is 0.345, four against one 0.5175, one against one 0.
 */
export function blocScore(largest: number, all: number): number {
  if (all < 2 || largest >= all) return 1
  return dissentCeiling * Math.max(0, (largest - 1) / (all - 1))
}
