/** `npm run check`: types, lint, architecture and unit tests, in seconds. */
import { staticChecks } from './static-checks.ts'
import { concludeTests, runVitest } from './vitest-run.ts'

const checked = await staticChecks()
concludeTests([checked, await runVitest(['--project', 'unit', ...process.argv.slice(2)])])
