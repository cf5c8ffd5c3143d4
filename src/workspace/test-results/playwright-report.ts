/** Reads the JSON report of Playwright Test. */
import { z } from 'zod'
import { emptyReport, joined, type SeenTest, type TestReport, withoutColours } from './test-report.ts'

const failureSchema = z.object({ message: z.string().optional(), stack: z.string().optional() })

const specSchema = z.object({
  title: z.string(),
  file: z.string().optional(),
  tests: z.array(
    z.object({
      projectName: z.string().optional(),
      status: z.string(),
      annotations: z.array(z.object({ type: z.string() })).default([]),
      results: z.array(z.object({ status: z.string().optional(), error: failureSchema.optional() })).default([]),
    }),
  ),
})

interface Suite {
  title: string
  specs?: z.infer<typeof specSchema>[]
  suites?: Suite[]
}

const suiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({ title: z.string(), specs: z.array(specSchema).optional(), suites: z.array(suiteSchema).optional() }),
)

const reportSchema = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(suiteSchema).default([]),
  errors: z.array(failureSchema.extend({ location: z.object({ file: z.string() }).optional() })).default([]),
})

export function readPlaywrightReport(text: string): TestReport {
  const { config, suites, errors } = reportSchema.parse(JSON.parse(text))
  const report = emptyReport()
  // The outermost suites are files.
  for (const { specs = [], suites: groups = [] } of suites)
    collect({ title: '', specs, suites: groups }, [], config.rootDir, report)
  for (const { location, ...failure } of errors)
    if (location) report.broken.push({ file: location.file, failure: failureText(failure) })
  return report
}

function collect(
  { specs = [], suites = [] }: Suite,
  groups: readonly string[],
  root: string,
  report: TestReport,
): void {
  for (const { title, file, tests } of specs)
    for (const { status, results, annotations, projectName } of tests) {
      // With several projects, each runs every test.
      const suite = [...(projectName ? [projectName] : []), ...groups]
      const state: SeenTest['state'] = status === 'skipped' ? 'skipped' : status === 'unexpected' ? 'failed' : 'passed'
      const error = results.findLast((result) => result.error)?.error
      report.tests.push({
        name: title,
        fullName: joined(suite, title),
        suite,
        ...(file ? { file: `${root}/${file}` } : {}),
        state,
        ...(state === 'skipped' && annotations.some(({ type }) => type === 'fixme') ? { todo: true } : {}),
        ...(state === 'failed' && error ? { failure: failureText(error) } : {}),
      })
    }
  for (const inner of suites) collect(inner, [...groups, inner.title], root, report)
}

function failureText({ message = '', stack = '' }: z.infer<typeof failureSchema>): string {
  return withoutColours(stack.includes(message) ? stack : `${message}\n${stack}`)
}
