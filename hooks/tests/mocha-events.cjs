/* node:coverage disable */
/** Reports what a runner of Mocha says about its tests. */
const { failureText } = require('./report-file.cjs')

function reportEvents(runner, report) {
  const add = (test, state, error) => {
    const path = test.titlePath()
    const failure = error === undefined ? {} : { failure: failureText(error) }
    report({ suite: path.slice(0, -1), name: path.at(-1), file: test.file, state, ...failure })
  }
  runner.on('pass', (test) => add(test, 'passed'))
  runner.on('pending', (test) => add(test, 'skipped'))
  runner.on('fail', (test, error) => {
    const isHook = test.type === 'hook'
    add((isHook && test.ctx?.currentTest) || test, 'failed', error)
  })
  runner.on('end', () => report({ end: true }))
}

module.exports = { reportEvents }
