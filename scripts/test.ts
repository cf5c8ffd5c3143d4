/** `npm test`: everything. Words after `--` choose test files. */
import { staticChecks } from './static-checks.ts'
import { concludeTests, runVitest } from './vitest-run.ts'

const checked = await staticChecks()
concludeTests([checked, await runVitest(process.argv.slice(2))])
