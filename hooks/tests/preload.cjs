/* node:coverage disable */
/**
 * Loaded into every Node process that a test command starts (NODE_OPTIONS). In the process of a test runner it asks for a
 * report; in the process of a package manager it takes scripts apart. Anything else runs as it would without it.
 */
const { isMainThread } = require('node:worker_threads')

if (isMainThread && process.env.CONVENE_REPORTS && !process.env.NODE_TEST_CONTEXT && !isBelowRunner()) start()

/** A test may itself start runners; those are not the project's. A runner's own process may restart itself with other flags. */
function isBelowRunner() {
  const owner = process.env.CONVENE_RUNNER
  return owner !== undefined && owner !== '' && owner !== String(process.pid)
}

function start() {
  try {
    const { packageOf, runnerOf, askForReport } = require('./runners.cjs')
    const program = packageOf(process.argv[1])
    const runner = runnerOf(program)
    if (runner) {
      askForReport(runner)
      process.env.CONVENE_RUNNER = String(process.pid)
      return
    }
    const { watchChildren } = require('./children.cjs')
    watchChildren(program?.name)
    require('./tap-output.cjs').watchTap()
    require('./mocha-library.cjs').watchMocha()
    const { findUvu } = require('./runners.cjs')
    if (findUvu()) require('./uvu-loading.cjs').loadUvu()
  } catch {
    // Without a report the exit code still counts.
  }
}
