/** Parses the TAP of tape: a comment starts a test, and the points below it are its assertions. */
import { z } from 'zod'
import { emptyReport, type SeenTest, type TestReport } from './test-report.ts'

const point = /^(not )?ok \d+(?: (.*))?$/

/** node-tap and most others put a dash in front of a name. */
export function isTape(text: string): boolean {
  return /^# \S/m.test(text) && /^(?:not )?ok \d+(?! - )/m.test(text) && !/^(?:not )?ok \d+ - /m.test(text)
}

export function readTape(text: string): TestReport {
  const report = emptyReport()
  let current: SeenTest | undefined
  let detail: string[] | undefined
  for (const line of text.split('\n')) {
    if (detail !== undefined) {
      if (/^ {2}\.\.\.\s*$/.test(line)) {
        if (current?.failure !== undefined) current.failure = [current.failure, ...detail].join('\n')
        detail = undefined
      } else detail.push(line)
      continue
    }
    // Below the plan, comments are the summary.
    if (/^1\.\.\d+\s*$/.test(line)) current = undefined
    const title = /^# (.*)$/.exec(line)?.[1]
    if (title !== undefined && !/^(?:tests|pass|fail|skip|todo) +\d+$|^ok$/.test(title)) {
      current = started(title)
      report.tests.push(current)
    }
    const crash = crashOf(line)
    if (crash) {
      if (current) Object.assign(current, { state: 'failed', failure: crash.failure })
      report.broken.push({ file: crash.broken, failure: crash.failure })
    }
    const [, isRed, said = ''] = point.exec(line) ?? []
    if (isRed && current && current.state === 'passed' && !/# (?:TODO|SKIP)\b/i.test(said))
      Object.assign(current, { state: 'failed', failure: said, asserted: true })
    if (/^ {2}---\s*$/.test(line)) detail = []
  }
  return report
}

function started(title: string): SeenTest {
  const [, directive, name = title] = /^(SKIP|TODO) (.*)$/.exec(title) ?? []
  const state = directive === undefined ? 'passed' : 'skipped'
  return { name, fullName: name, suite: [], state, ...(directive === 'TODO' ? { todo: true } : {}) }
}

const crashSchema = z.object({ broken: z.string(), failure: z.string() })

/** Our hook adds it when the process ends by an error. */
function crashOf(line: string): z.infer<typeof crashSchema> | undefined {
  if (!line.startsWith('Bail out! {')) return undefined
  try {
    return crashSchema.safeParse(JSON.parse(line.slice('Bail out! '.length))).data
  } catch {
    return undefined
  }
}
