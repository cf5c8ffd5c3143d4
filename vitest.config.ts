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

/** No test may fail because the machine is busy: a limit only ends what hangs. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

const pure = ['test/architecture.test.ts', 'test/spec.test.ts']

/**
 * `unit` is what `npm run check` runs: pure and quick. `whole` uses real processes, git, HTTP and the model emulator.
 * `long` does too: rarer paths of a floor, details of a page, and crashes in the middle of builds, plans and ships.
 */
export default defineConfig({
  test: {
    // Much of `whole` and `long` waits for processes, disks and clocks: a few files more than there are cores keep these busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          pool: 'threads',
          ...patient,
          include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', ...pure],
        },
      },
      {
        test: {
          name: 'whole',
          ...patient,
          include: ['test/**/*.test.ts'],
          exclude: [...pure, 'test/**/*.long.test.ts', 'test/crash/full/**'],
        },
      },
      { test: { name: 'long', ...patient, include: ['test/**/*.long.test.ts'] } },
    ],
  },
})
