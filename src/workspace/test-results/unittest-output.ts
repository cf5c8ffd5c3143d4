/** Parses the output of `python -m unittest -v`. */
import { type BrokenFile, emptyReport, type SeenTest, type TestReport } from './test-report.ts'

const header = /^(\s*)(\w[\w.]*) \(([\w.]+)\)(?: \(.*\)| \[.*\])?(?:\n.*?)?? \.\.\. ?/gm
const rule = /^={20,}$/m
const block = /^(ERROR|FAIL): (\S+) \(([\w.]+)\)[^\n]*\n(?:(?!-{20})[^\n]*\n)*-{20,}\n([\s\S]*)$/

export function isUnittest(text: string): boolean {
  return /^Ran \d+ tests? in /m.test(text)
}

export function readUnittest(text: string): TestReport {
  const report = emptyReport()
  const [progress = '', ...blocks] = text.split(rule)
  const failures = new Map<string, { asserted: boolean; failure: string }>()
  for (const each of blocks) {
    const match = block.exec(each.trimStart())
    if (!match) continue
    const [, kind, name = '', path = '', failure = ''] = match
    const key = fullName(name, path)
    if (path.includes('_FailedTest')) report.broken.push(brokenModule(name, failure.trim()))
    else if (!failures.has(key)) failures.set(key, { asserted: kind === 'FAIL', failure: failure.trim() })
  }
  const seen = new Set<string>()
  const matches = [...progress.matchAll(header)]
  matches.forEach((match, index) => {
    const [, spaces, name = '', path = ''] = match
    if (spaces || path.includes('_FailedTest')) return
    const key = fullName(name, path)
    if (seen.has(key)) return
    seen.add(key)
    const said = progress.slice(match.index + match[0].length, matches[index + 1]?.index)
    const failed = failures.get(key)
    report.tests.push({ name, fullName: key, state: failed ? 'failed' : stateOf(said), ...failed })
  })
  // A failing class or module fixture has no line of its own.
  for (const [key, failed] of failures) {
    if (!seen.has(key)) report.tests.push({ name: key.split('.').at(-1)!, fullName: key, state: 'failed', ...failed })
  }
  return report
}

/** The trace has the file; the name has only the module, relative to where discovery started. */
function brokenModule(module: string, failure: string): BrokenFile {
  const path = `${module.replaceAll('.', '/')}.py`
  const traced = [...failure.matchAll(/File "([^"\n]+)"/g)].map((match) => match[1]!)
  const file = traced.find((each) => each.endsWith(`/${path}`)) ?? path
  return { file, failure, fullName: ({ groups, name }) => [module, ...groups, name].join('.') }
}

function stateOf(said: string): SeenTest['state'] {
  if (/(?:^|\n)\s*(?:skipped\b|expected failure)/.test(said)) return 'skipped'
  return /(?:^|\n)\s*(?:FAIL|ERROR|unexpected success)\s*(?:\n|$)/.test(said) ? 'failed' : 'passed'
}

/** Older versions omit the test's name from the brackets. */
function fullName(name: string, path: string): string {
  return path.endsWith(`.${name}`) ? path : `${path}.${name}`
}
