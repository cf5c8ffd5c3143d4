/** Reads the JSON report that Jest defined and Vitest also writes. */
import { z } from 'zod'
import { emptyReport, joined, type SeenTest, type TestReport, withoutColours } from './test-report.ts'

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string().optional(),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.object({
          title: z.string(),
          ancestorTitles: z.array(z.string()).default([]),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

export function readJestReport(text: string): TestReport {
  const report = emptyReport()
  for (const file of reportSchema.parse(JSON.parse(text)).testResults) {
    for (const { title, ancestorTitles, status, failureMessages } of file.assertionResults) {
      report.tests.push({
        name: title,
        fullName: joined(ancestorTitles.filter(Boolean), title),
        suite: ancestorTitles.filter(Boolean),
        file: file.name,
        state: stateOf(status),
        ...(status === 'todo' ? { todo: true } : {}),
        ...(failureMessages?.length ? { failure: withoutColours(failureMessages.join('\n\n')) } : {}),
      })
    }
    if (file.status === 'failed' && file.assertionResults.length === 0) {
      report.broken.push({ file: file.name, failure: ownMessage(file.message ?? '') })
    }
  }
  return report
}

/** `pending`, `todo`, `skipped`, `disabled` or any other status: the test did not run. */
function stateOf(status: string): SeenTest['state'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped'
}

/** Removes the heading that Jest prints above a file's error. */
function ownMessage(message: string): string {
  return withoutColours(message)
    .replace(/^\s*● Test suite failed to run\s*/, '')
    .trim()
}
