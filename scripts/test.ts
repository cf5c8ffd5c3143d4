/** `npm test`: everything. Words after `--` choose test files. */
import { findOrBringBrowser } from './browser.ts'
import { bringPytest, bringSandbox } from './sandbox.ts'
import { staticChecks } from './static-checks.ts'
import { concludeTests, runVitest } from './vitest-run.ts'
import { buildWebApp } from './web-app.ts'

if ((await buildWebApp()) !== 0) process.exit(1)
const browser = findOrBringBrowser()
if ('path' in browser) process.env.CONVENE_BROWSER = browser.path
else process.env.CONVENE_NO_BROWSER = browser.missing
bringSandbox()
bringPytest()
const checked = await staticChecks()
concludeTests([checked, await runVitest(process.argv.slice(2))])
