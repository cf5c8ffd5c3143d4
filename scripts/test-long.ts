/** `npm run test:long`: the long tests, `*.long.test.ts`. Arguments after `--` filter test files. */
import { prepareTests } from './prepare-tests.ts'
import { installGo } from './sandbox.ts'
import { concludeTests, runVitest } from './vitest-run.ts'

await prepareTests()
installGo()
concludeTests([await runVitest(['--project', 'long', '--project', 'network', ...process.argv.slice(2)])])
