import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slowest first: a fresh clone has no recorded durations, and a slow file that starts last holds up the end. */
const slowest = ['/test/crash/', '/test/browser/', '/test/ship/', '/test/build/']

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = slowest.findIndex((folder) => moduleId.includes(folder))
      return found === -1 ? slowest.length : found
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** Timeouts only end tests that hang: no test may fail because the machine is busy. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }

/** Changes the machine's network, which a browser notices: it takes its connections for broken. */
const network = ['test/team/peers-faults.long.test.ts']

const pure = ['test/architecture.test.ts', 'test/spec.test.ts']

/**
 * `unit` is what `npm run check` runs: pure and quick. `whole` uses real processes, git, HTTP and the model emulator.
 * `long` does too, for rarer paths through a floor, details of a page, and crashes in the middle of real work; `network` runs
 * after all others.
 */
export default defineConfig({
  test: {
    // Much of `whole` and `long` waits for processes, disks and clocks: two workers more than cores keep the cores busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowestFirst },
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
      { test: { name: 'long', ...patient, include: ['test/**/*.long.test.ts'], exclude: network } },
      { test: { name: 'network', ...patient, include: network, sequence: { groupOrder: 1 } } },
    ],
  },
})
