import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A fresh clone knows no durations, and short files may take longest: those that begin early do not hold up the end. */
const longest = ['/test/crash/', '/test/build/', '/test/ship/', '/test/browser/']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((folder) => moduleId.includes(folder))
      return found === -1 ? longest.length : found
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** `unit` is what `npm run check` runs: pure and quick. `whole` uses real processes, git, HTTP and the model emulator. */
export default defineConfig({
  test: {
    // Much of `whole` waits for processes, disks and clocks: a few files more than there are cores keep these busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          // Properties are tried with many inputs: on a busy machine that takes as long as it takes.
          testTimeout: 60_000,
          pool: 'threads',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/architecture.test.ts', 'test/spec.test.ts'],
        },
      },
      {
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: ['test/architecture.test.ts', 'test/spec.test.ts', 'test/crash/full/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
