/** The runs that this process executes, by id, with their place in the run tree. */
import type { DurableRun } from './durable-run.ts'

export class ActiveRuns extends Map<string, DurableRun> {
  /** The runs in the tree below `root`, itself included. */
  tree(root: string): DurableRun[] {
    return [...this.values()].filter((run) => run.runId === root || run.ancestors.includes(root))
  }

  isAtRest(root: string): boolean {
    return this.tree(root).every((run) => run.isAtRest)
  }

  /** The runs that no other run here started. */
  tops(): string[] {
    return [...this.values()]
      .filter(({ parent }) => parent === undefined || !this.has(parent))
      .map(({ runId }) => runId)
  }

  /** How many top-level runs, and runs apart, have a step under way here, themselves or below them. Those that wait do not count. */
  unitsAtWork(): number {
    const units = new Set<string>()
    for (const run of this.values()) if (!run.isAtRest) units.add(this.#unitOf(run).runId)
    return units.size
  }

  cancel(runId: string): void {
    this.get(runId)?.cancel()
    this.delete(runId)
  }

  /** Does nothing if the run was started again meanwhile. */
  forget(run: DurableRun): void {
    if (this.get(run.runId) === run) this.delete(run.runId)
  }

  #unitOf(run: DurableRun): DurableRun {
    const above = run.row.apart || run.parent === undefined ? undefined : this.get(run.parent)
    return above ? this.#unitOf(above) : run
  }
}
