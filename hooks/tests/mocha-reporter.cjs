/* node:coverage disable */
/** A Mocha reporter that prints like the default one: Mocha supports only one reporter. */
const { dirname } = require('node:path')
const { addToReport, failureText } = require('./report-file.cjs')
const { reporters } = require(require.resolve('mocha', { paths: [dirname(process.argv[1]), process.cwd()] }))

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const add = (test, state, error) => {
      const path = test.titlePath()
      const failure = error === undefined ? {} : { failure: failureText(error) }
      addToReport({ suite: path.slice(0, -1), name: path.at(-1), file: test.file, state, ...failure })
    }
    runner.on('pass', (test) => add(test, 'passed'))
    runner.on('pending', (test) => add(test, 'skipped'))
    runner.on('fail', (test, error) => {
      const isHook = test.type === 'hook'
      add((isHook && test.ctx?.currentTest) || test, 'failed', error)
    })
    runner.on('end', () => addToReport({ end: true }))
  }
}
