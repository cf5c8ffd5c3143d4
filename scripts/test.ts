/** `npm test`: types, lint and every test but the long ones. Arguments after `--` filter test files. */
import { prepareTests } from './prepare-tests.ts'
import { staticChecks } from './static-checks.ts'
import { concludeTests, runVitest } from './vitest-run.ts'

await prepareTests()
const checked = await staticChecks()
concludeTests([checked, await runVitest(['--project', 'unit', '--project', 'whole', ...process.argv.slice(2)])])
