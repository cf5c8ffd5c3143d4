/* node:coverage disable */
/** A Jasmine helper: adds a reporter beside the printing one. */
const { addToReport } = require('./report-file.cjs')

const suite = []
const textOf = (failures) =>
  failures.map(({ message, stack }) => [message, stack].filter(Boolean).join('\n')).join('\n\n')

jasmine.getEnv().addReporter({
  suiteStarted: ({ description }) => suite.push(description),
  suiteDone({ description, failedExpectations = [] }) {
    suite.pop()
    if (failedExpectations.length > 0)
      addToReport({ suite: [...suite], name: description, state: 'failed', failure: textOf(failedExpectations) })
  },
  specDone({ description, status, filename, failedExpectations, pendingReason }) {
    // Excluded by a filter or by a focused spec.
    if (status === 'excluded' && !pendingReason)
      return addToReport({ suite: [...suite], name: description, file: filename, state: 'skipped' })
    const state = status === 'passed' || status === 'failed' ? status : 'skipped'
    const isAssertion = failedExpectations.some(({ matcherName }) => matcherName)
    const failure = state === 'failed' ? { failure: textOf(failedExpectations), asserted: isAssertion } : {}
    addToReport({ suite: [...suite], name: description, file: filename, state, ...failure })
  },
  jasmineDone({ failedExpectations = [] }) {
    for (const each of failedExpectations) addToReport({ broken: each.filename ?? '', failure: textOf([each]) })
    addToReport({ end: true })
  },
})
