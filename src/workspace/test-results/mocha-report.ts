/** A Mocha reporter that prints like the default one and also writes a report file: Mocha supports only one reporter. */
import { z } from 'zod'
import { emptyReport, joined, type TestReport } from './test-report.ts'

export const mochaReportName = 'mocha.json'

/** CommonJS, which every version of Mocha can load. */
export const mochaReporter = `
const { writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { reporters } = require(require.resolve('mocha', { paths: [process.cwd(), dirname(process.argv[1])] }))

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const tests = []
    const add = (test, state, error) =>
      tests.push({ path: test.titlePath(), file: test.file, state, failure: error && String(error.stack || error.message || error) })
    runner.on('pass', (test) => add(test, 'passed'))
    runner.on('pending', (test) => add(test, 'skipped'))
    runner.on('fail', (test, error) => add((test.type === 'hook' && test.ctx && test.ctx.currentTest) || test, 'failed', error))
    runner.on('end', () => writeFileSync(join(__dirname, '${mochaReportName}'), JSON.stringify(tests)))
  }
}
`

const reportSchema = z.array(
  z.object({
    path: z.array(z.string()),
    file: z.string().optional(),
    state: z.enum(['passed', 'failed', 'skipped']),
    failure: z.string().optional(),
  }),
)

export function readMochaReport(text: string): TestReport {
  const tests = reportSchema.parse(JSON.parse(text)).map(({ path, ...test }) => {
    const name = path.at(-1) ?? ''
    const suite = path.slice(0, -1).filter(Boolean)
    return { name, fullName: joined(suite, name), suite, ...test }
  })
  return { ...emptyReport(), tests }
}
