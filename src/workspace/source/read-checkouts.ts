/** Clean checkouts for agents that read with their own tools: worktrees that nothing is ever taken from. */
import { randomUUID } from 'node:crypto'
import { isAlive } from '../commands/is-alive.ts'
import { Repository } from '../git/repository.ts'
import { Worktrees } from '../worktrees/worktrees.ts'

export class ReadCheckouts {
  readonly #worktrees: Worktrees
  /** Every process has a folder of its own, so that none removes what another one reads. */
  readonly #run = `reading-${process.pid}-${randomUUID().slice(0, 8)}`

  private constructor(worktrees: Worktrees) {
    this.#worktrees = worktrees
  }

  /** `place` is the folder for worktrees, if it is configured. */
  static async open(project: string, place: string | undefined): Promise<ReadCheckouts> {
    const repository = await Repository.open(project)
    const checkouts = new ReadCheckouts(
      new Worktrees(repository, { share: [], ...(place === undefined ? {} : { folder: place }) }),
    )
    await checkouts.#sweep()
    return checkouts
  }

  /** Whatever was written there is gone the next time. */
  async take(commit: string): Promise<{ folder: string; release(): Promise<void> }> {
    const slot = await this.#worktrees.acquire(this.#run, commit)
    return { folder: slot.project, release: async () => this.#worktrees.release(slot) }
  }

  async close(): Promise<void> {
    await this.#worktrees.removeRun(this.#run).catch(() => {})
    await this.#worktrees.close()
  }

  /** Removes what killed processes left. */
  async #sweep(): Promise<void> {
    for (const run of await this.#worktrees.leftoverRuns()) {
      const pid = Number(/^reading-(\d+)-/.exec(run)?.[1])
      if (pid > 0 && !isAlive(pid)) await this.#worktrees.removeRun(run).catch(() => {})
    }
  }
}
