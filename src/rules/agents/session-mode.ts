/** Narrows the mode in which a coding agent works; never widens what its own settings allow. SPEC.md § AG8. */

export interface ModeFacts {
  /** The mode in which the agent starts by its own settings. */
  current: string
  available: readonly string[]
  /** The agent's modes, from the most careful to the freest. */
  order: readonly string[]
  /** The freest mode that this ask may have. */
  ceiling: string
}

/** The mode to set; null leaves the agent's own. A mode that we do not know is taken as too free. */
export function narrowedMode({ current, available, order, ceiling }: ModeFacts): string | null {
  const allowed = order.slice(0, order.indexOf(ceiling) + 1)
  if (allowed.includes(current)) return null
  return allowed.findLast((mode) => available.includes(mode)) ?? null
}
