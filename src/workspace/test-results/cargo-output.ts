/** Parses the output of `cargo test`. */
import { emptyReport, type TestReport } from './test-report.ts'

const result = /^test (.+?)(?: - should panic(?:: .*)?)? \.\.\. (ok|FAILED|ignored)/gm
const failure = /^---- (.+?) stdout ----\n([\s\S]*?)(?=^---- .+? stdout ----$|^failures:$|^successes:$)/gm

export function isCargoTest(text: string): boolean {
  return /^running \d+ tests?$/m.test(text) || /^error: could not compile /m.test(text)
}

export function readCargoTest(text: string): TestReport {
  const report = emptyReport()
  const failures = new Map([...text.matchAll(failure)].map(([, name, said]) => [name, ownWords(said ?? '')]))
  for (const [, path = '', said] of text.matchAll(result)) {
    const name = path.includes(' ') ? path : (path.split('::').at(-1) ?? path)
    const state = said === 'ok' ? 'passed' : said === 'FAILED' ? 'failed' : 'skipped'
    const why = failures.get(path)
    report.tests.push({ name, fullName: path, state, ...(why ? { failure: why } : {}) })
  }
  if (report.tests.length === 0 && /^error: could not compile /m.test(text)) {
    // A compile error in any file stops all tests of a crate.
    report.broken.push({ file: '.', failure: /^error(?:\[\w+\])?: [\s\S]*/m.exec(text)?.[0] ?? '' })
  }
  return report
}

/** From the panic message on, without the trace and the test's earlier output. */
function ownWords(said: string): string {
  const panic = /^thread '.*' (?:\(\d+\) )?panicked at [^\n]*\n([\s\S]*)$/m.exec(said)?.[1] ?? said
  return panic
    .replace(/^stack backtrace:[\s\S]*/m, '')
    .replace(/^note: [\s\S]*/m, '')
    .trim()
}
