/** Reads the reports that our own reporters write: one line of JSON per test (`hooks/tests/`). */
import { z } from 'zod'
import { emptyReport, joined, type SeenTest, type TestReport, withoutColours } from './test-report.ts'

const testLine = z.object({
  suite: z.array(z.string()).default([]),
  name: z.string(),
  fullName: z.string().optional(),
  file: z.string().optional(),
  state: z.enum(['passed', 'failed', 'skipped', 'todo']),
  failure: z.string().optional(),
  asserted: z.boolean().optional(),
  /** Why a test is skipped. */
  reason: z.string().optional(),
})

/** A file that could not be loaded; with `module`, its dotted name in Python. */
const brokenLine = z.object({ broken: z.string(), failure: z.string(), module: z.boolean().optional() })

export function readReportLines(text: string): TestReport {
  const report = emptyReport()
  const seen = new Map<string, SeenTest>()
  for (const line of text.split('\n')) {
    const value = jsonOf(line)
    const broken = brokenLine.safeParse(value).data
    if (broken) report.broken.push(broken.module ? brokenModule(broken) : { ...broken, file: broken.broken })
    const test = testLine.safeParse(value).data
    if (!test) continue
    const one = seenTest(test)
    const key = JSON.stringify([one.file, one.suite, one.name, one.fullName])
    const before = seen.get(key)
    // A failing tear-down reports a test that passed once more.
    if (before && before.state !== one.state) Object.assign(before, one.state === 'failed' ? one : {})
    else report.tests.push(one)
    seen.set(key, before ?? one)
  }
  return report
}

function seenTest(line: z.infer<typeof testLine>): SeenTest {
  const { suite, name, fullName, file, state, failure, asserted, reason } = line
  const groups = suite.filter(Boolean)
  return {
    name,
    fullName: fullName ?? joined(groups, name),
    suite: groups,
    ...(file ? { file } : {}),
    state: state === 'todo' ? 'skipped' : state,
    ...(state === 'todo' ? { todo: true } : {}),
    ...(failure === undefined ? {} : { failure: withoutColours(failure) }),
    ...(asserted === undefined ? {} : { asserted }),
    ...(reason ? { reason } : {}),
  }
}

/** The trace has the file; the name has only the module, relative to where discovery started. */
function brokenModule({ broken: module, failure }: z.infer<typeof brokenLine>): TestReport['broken'][number] {
  const path = `${module.replaceAll('.', '/')}.py`
  const traced = [...failure.matchAll(/File "([^"\n]+)"/g)].map((match) => match[1]!)
  const file = traced.find((each) => each.endsWith(`/${path}`)) ?? path
  return { file, failure, fullName: ({ groups, name }) => [module, ...groups, name].join('.') }
}

/** The last line of a runner that was killed may be cut off. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
