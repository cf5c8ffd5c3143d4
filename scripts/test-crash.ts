/** `npm run test:crash`: the long crash tests. */
import { concludeTests, runVitest } from './vitest-run.ts'

concludeTests([await runVitest(['--config', 'test/crash/full/vitest.config.ts', ...process.argv.slice(2)])])
