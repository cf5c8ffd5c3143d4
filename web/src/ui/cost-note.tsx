/** Says once, below figures without money, that the cost is unknown and what makes it known. */
export function CostNote({ costs }: { costs: readonly { usd: number | null }[] }) {
  if (costs.every(({ usd }) => usd !== null)) return null
  return (
    <p data-testid="cost-unknown" className="mt-1 text-small text-ink-3">
      Cost unknown: set <code className="numbers">price</code> in the configuration of the agents.
    </p>
  )
}
