/** `npm run test:all`: `npm test` and `npm run test:long` in one. Arguments after `--` filter test files. */
import { prepareTests } from './prepare-tests.ts'
import { installGo } from './sandbox.ts'
import { staticChecks } from './static-checks.ts'
import { concludeTests, runVitest } from './vitest-run.ts'

await prepareTests()
installGo()
const checked = await staticChecks()
concludeTests([checked, await runVitest(process.argv.slice(2))])
