/** Parses the output of `go test -v`. */
import { emptyReport, type SeenTest, type TestReport, type Title } from './test-report.ts'

export function isGoTest(text: string): boolean {
  return /^\s*--- (?:PASS|FAIL|SKIP): /m.test(text) || /^FAIL\t\S+ \[(?:build|setup) failed\]$/m.test(text)
}

/** `modulePath` is the module's name in `go.mod`: packages below it are folders of the project. */
export function readGoTest(text: string, modulePath: string): TestReport {
  const report = emptyReport()
  let tests = new Map<string, SeenTest>()
  let printed = new Map<string, string[]>()
  let current = ''
  let packageText: string[] = []
  const errors = new Map<string, string[]>()
  let compiling: string[] | undefined

  for (const line of text.split('\n')) {
    const run = /^=== (?:RUN|CONT|NAME)\s+(\S*)/.exec(line)
    if (run) {
      current = run[1]!
      if (current && !tests.has(current)) tests.set(current, { name: current, state: 'failed' })
      continue
    }
    const end = /^\s*--- (PASS|FAIL|SKIP): (\S+)/.exec(line)
    // With `-v` each test is announced before it ends: anything else is a line that a test printed.
    if (end && tests.has(end[2]!)) {
      tests.set(end[2]!, { name: end[2]!, state: states[end[1] as keyof typeof states] })
      current = end[2]!
      continue
    }
    const broken = /^FAIL\t(\S+) \[(?:build|setup) failed\]/.exec(line)
    if (broken) {
      const failure = (errors.get(broken[1]!) ?? []).join('\n')
      const fullName = ({ name }: Title) => `${broken[1]} ${name}`
      report.broken.push({ file: folderOf(broken[1]!, modulePath), failure, fullName })
      continue
    }
    const done = /^(?:ok|FAIL|---|\?)\s+(\S+)\t/.exec(line)
    if (done) {
      for (const test of tests.values()) report.tests.push(finished(test, done[1]!, printed, packageText))
      tests = new Map()
      printed = new Map()
      packageText = []
      current = ''
      continue
    }
    const heading = /^# (\S+)(?: \[.*\])?$/.exec(line)
    if (heading) {
      compiling = []
      errors.set(heading[1]!, compiling)
    } else compiling?.push(line)
    packageText.push(line)
    if (current) printed.set(current, [...(printed.get(current) ?? []), line])
  }
  return report
}

const states = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' } as const

/** Go has no assertions: a test that fails without a panic reported the failure itself. */
function finished(test: SeenTest, inPackage: string, printed: Map<string, string[]>, whole: string[]): SeenTest {
  const named = { ...test, fullName: `${inPackage} ${test.name}` }
  if (test.state !== 'failed') return named
  const own = printed.get(test.name) ?? []
  const panic =
    own.find((line) => line.startsWith('panic: ')) ?? (own.length === 0 ? panicOf(whole, test.name) : undefined)
  return { ...named, failure: [...(panic ? [panic] : []), ...own].join('\n').trim(), asserted: !panic }
}

function panicOf(lines: string[], test: string): string | undefined {
  const top = test.split('/')[0]!
  return lines.some((line) => line.includes(`.${top}(`)) ? lines.find((line) => line.startsWith('panic: ')) : undefined
}

function folderOf(name: string, modulePath: string): string {
  if (name === modulePath) return '.'
  return modulePath && name.startsWith(`${modulePath}/`) ? name.slice(modulePath.length + 1) : name
}
