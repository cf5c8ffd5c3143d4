/** Scores how far a group agrees on one answer. */

/** With any dissent the score stays at or below this, and so below `high`: agreement means that all agree. */
export const dissentCeiling = 0.69

/**
 * 1 if all agree. Otherwise the relative size of the largest bloc, scaled to the ceiling:
 * two against one is 0.345, four against one 0.5175, one against one 0.
 */
export function blocScore(largest: number, all: number): number {
  if (all < 2 || largest >= all) return 1
  return dissentCeiling * Math.max(0, (largest - 1) / (all - 1))
}
