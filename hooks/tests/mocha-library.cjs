/* node:coverage disable */
/** Reports the tests of a script that starts Mocha itself: `new Mocha().addFile(…).run()`. */
const Module = require('node:module')
const { reportEvents } = require('./mocha-events.cjs')
const { openReport } = require('./report-file.cjs')

function watchMocha() {
  const load = Module._extensions['.js']
  Module._extensions['.js'] = function (module, file, ...rest) {
    const loaded = load.call(this, module, file, ...rest)
    if (/[\\/]node_modules[\\/](?:\S*[\\/])?mocha[\\/]lib[\\/]mocha\.js$/.test(file)) reportRuns(module.exports)
    return loaded
  }
}

function reportRuns(Mocha) {
  const run = Mocha?.prototype?.run
  if (typeof run !== 'function') return
  Mocha.prototype.run = function (...given) {
    const runner = run.apply(this, given)
    try {
      reportEvents(runner, openReport('mocha').add)
      process.env.CONVENE_RUNNER = String(process.pid)
    } catch {
      // Without a report the exit code still counts.
    }
    return runner
  }
}

module.exports = { watchMocha }
