/* node:coverage disable */
/** A Mocha reporter that prints like the default one: Mocha supports only one reporter. */
const { dirname } = require('node:path')
const { reportEvents } = require('./mocha-events.cjs')
const { addToReport } = require('./report-file.cjs')
const { reporters } = require(require.resolve('mocha', { paths: [dirname(process.argv[1]), process.cwd()] }))

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    reportEvents(runner, addToReport)
  }
}
