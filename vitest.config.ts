import { defineConfig } from 'vitest/config'

/** `unit` is what `npm run check` runs: pure and quick. `whole` uses real processes, git, HTTP and the model emulator. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
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
