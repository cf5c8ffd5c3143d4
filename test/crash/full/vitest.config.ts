import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run test:crash`: too long for `npm test`. Files run one after the other: each uses all cores itself. */
// biome-ignore lint/style/noDefaultExport: this is how vitest finds its configuration
export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  test: {
    include: ['test/crash/full/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
