/** References of issues to rows of the test plan and to decisions: what they stand for, and which name nothing. SPEC.md § PH6. */
import { oneLine } from '../text/one-line.ts'
import { withoutEmphasis } from '../text/without-emphasis.ts'
import { builderContexts, type IssueNeeds } from './builder-context.ts'
import type { KeyDecision } from './phase-summary.ts'

/** `T1`, `UT-3`, `E2E-4`, `T1.2`: what test plans call their rows. */
const testId = /^[A-Z][A-Z0-9]{0,4}-?\d+(?:[.-]\d+)*[a-z]?\b/

/** The ids at the start of a test plan's rows: list items, table cells, headings. */
export function testIds(testPlan: string): string[] {
  return [...testRows(testPlan).keys()]
}

/** What stands in front of a row's id: marks of lists, tables, headings and emphasis. */
const marks = /^[\s|#>*_`+-]*(?:\d+[.)]\s+)?[*_`[]*/

/** At most this many lines below a heading or a list item belong to its row. */
const mostLines = 8

/** The rows of a test plan by id, in words. A row that is repeated keeps its first text. */
function testRows(testPlan: string): Map<string, string> {
  const lines = testPlan.split('\n')
  const rows = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    const id = testId.exec(line.replace(marks, ''))?.[0]
    if (id === undefined || rows.has(id) || ownItem.test(line)) continue
    const words = line.trim().startsWith('|')
      ? cellsOf(line, headersAbove(lines, index))
      : [itemOf(line, id), ...below(lines, index)]
    const text = words
      .map((one) => one.trim())
      .filter(Boolean)
      .join(' ')
    rows.set(id, text.replace(/\s+/g, ' '))
  }
  return rows
}

/** A decision, question or risk that Convene listed in the test plan, under an id of its own. */
const ownItem = /^- \*\*[DPQR]\d+b?-\d+\*\*[\s:]/

/** A list item or heading from its id on, without the marks around the id. */
function itemOf(line: string, id: string): string {
  const item = withoutEmphasis(line.replace(/^(?:[\s|#>+-]|\*(?=\s))*/, ''))
  return id + item.slice(item.indexOf(id) + id.length).replace(/^[*`\]]+/, '')
}

/** The brackets and marks of the other cells are their content: `['/a', '/b']`. What would make it fail says so. */
function cellsOf(line: string, headers: readonly string[]): string[] {
  const [first = '', ...cells] = splitRow(line).map(withoutEmphasis)
  const id = first.replace(/^[\s*_`[]+|[\s*_`\]]+$/g, '')
  const words = cells
    .map((cell, index) =>
      cell !== '' && /\bfail/i.test(headers[index + 1] ?? '') ? `${headers[index + 1]}: ${cell}` : cell,
    )
    .filter((cell) => cell !== '' && cell !== '-')
    .join(' · ')
  return [words === '' ? id : `${id}: ${words}`]
}

function splitRow(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** The cells of the row above the line of dashes that opens this table. */
function headersAbove(lines: readonly string[], index: number): string[] {
  for (let at = index - 1; at > 0 && lines[at]!.trim().startsWith('|'); at -= 1)
    if (/^[\s|:-]+$/.test(lines[at]!)) return splitRow(lines[at - 1]!).map(withoutEmphasis)
  return []
}

/** The lines that continue a list item (indented) or a heading (up to the next row). */
function below(lines: readonly string[], index: number): string[] {
  const head = lines[index]!
  const indent = /^\s*/.exec(head)![0].length
  const isHeading = /^\s*#/.test(head)
  const found: string[] = []
  for (const line of lines.slice(index + 1, index + 1 + mostLines)) {
    const isRow = testId.test(line.replace(marks, ''))
    const isDeeper = /^\s*/.exec(line)![0].length > indent
    if (isRow || /^\s*#/.test(line) || (!isHeading && (line.trim() === '' || !isDeeper))) break
    found.push(withoutEmphasis(line.trim().replace(/^[-*+]\s+/, '')))
  }
  return found
}

/**
 * PH6: the tests of an issue in words: an id stands for its row, also if only the body or a criterion names it. Where the issue
 * says something of its own beside the id, such as which part of the row it covers, that comes first.
 */
export function testsInWords(issue: IssueNeeds, testPlan: string): string[] {
  const rows = testRows(testPlan)
  const given = (issue.tests ?? []).flatMap((entry) => {
    const ids = idsIn(entry, rows)
    if (ids.length > 0 && isOnlyIds(entry, ids)) return ids.map((id) => rows.get(id)!)
    const [first] = ids
    const row = first !== undefined && entry.trim().startsWith(first) ? rows.get(first)! : ''
    if (row.length <= entry.trim().length + 1) return [entry]
    return [bare(row).startsWith(bare(entry)) ? row : `${entry.trim()} · the row in test-plan.md: ${row}`]
  })
  const told = new Set(given.flatMap((entry) => idsIn(entry, rows)))
  const text = [issue.body ?? '', ...(issue.acceptance_criteria ?? []).map((one) => one.text)].join('\n')
  const named = idsIn(text, rows).filter((id) => !told.has(id))
  return [...new Set([...given, ...named.map((id) => rows.get(id)!)])]
}

/** Its letters and numbers alone. */
function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** PH6: the only issue of a plan proves every row of the test plan, named or not. */
export function withForgottenTests<Issue extends IssueNeeds>(issues: readonly Issue[], testPlan: string): Issue[] {
  const [only, ...others] = issues
  const forgotten = only && others.length === 0 ? missingRows(issues, testPlan) : []
  return forgotten.length === 0 ? [...issues] : [{ ...only!, tests: [...(only!.tests ?? []), ...forgotten] }]
}

/** PH6: rows of the test plan that no issue of several names. Where issues name none at all, they describe their tests in words. */
export function forgottenTests(issues: readonly IssueNeeds[], testPlan: string): string[] {
  return issues.length > 1 ? missingRows(issues, testPlan) : []
}

function missingRows(issues: readonly IssueNeeds[], testPlan: string): string[] {
  const rows = testRows(testPlan)
  const named = new Set(issues.flatMap((issue) => idsIn(textOf(issue), rows)))
  // A row may be cut finer than the plan has it: T1.2 of T1.
  const isNamed = (id: string) => named.has(id) || issues.some((issue) => textOf(issue).includes(`${id}.`))
  return named.size === 0 ? [] : [...rows.keys()].filter((id) => !isNamed(id))
}

function textOf({ tests = [], body = '', acceptance_criteria = [] }: IssueNeeds): string {
  return [...tests, body, ...acceptance_criteria.map(({ text }) => text)].join('\n')
}

/** Known ids in a text, in its order; `T1–T3` and `T1 to T3` name those between as well. */
function idsIn(text: string, rows: ReadonlyMap<string, string>): string[] {
  const ids = [...rows.keys()]
  const found: string[] = []
  for (const { index, 0: word } of text.matchAll(/[A-Z][A-Z0-9]{0,4}-?\d+(?:[.-]\d+)*[a-z]?\b/g)) {
    if (/[\w-]/.test(text[index - 1] ?? '') || !rows.has(word)) continue
    const isRange =
      found.length > 0 &&
      /^[A-Z0-9.a-z-]+\s*(?:–|—|-|to|\.\.+)\s*$/.test(text.slice(text.lastIndexOf(found.at(-1)!, index - 1), index))
    const [from, to] = [ids.indexOf(found.at(-1) ?? ''), ids.indexOf(word)]
    if (isRange && from < to) found.push(...ids.slice(from + 1, to))
    found.push(word)
  }
  return [...new Set(found)]
}

function isOnlyIds(entry: string, ids: readonly string[]): boolean {
  const rest = ids.reduce((text, id) => text.replaceAll(id, ' '), entry)
  return !/\p{L}/u.test(rest.replace(/\b(?:and|to|test[- ]plan|tests?|rows?|see|md)\b/gi, ' '))
}

/**
 * References of issues to decisions and tests that do not exist. A test counts if it begins like an id; where the test plan
 * numbers nothing, tests are described in words and none is unknown.
 */
export function unknownReferences(
  issues: readonly IssueNeeds[],
  decided: readonly KeyDecision[],
  testPlan: string,
): string[] {
  const known = testIds(testPlan)
  const tests = issues.flatMap((issue) => issue.tests ?? []).flatMap((row) => testId.exec(row.trim())?.[0] ?? [])
  // A row may be cut finer than the plan has it: T1.2 of T1.
  const isKnown = (id: string) => known.some((one) => id === one || id.startsWith(`${one}.`) || testPlan.includes(id))
  return [
    ...builderContexts(issues, decided).unknown.map((id) => `decision ${oneLine(id, 40)}`),
    ...(known.length === 0 ? [] : [...new Set(tests)].filter((id) => !isKnown(id)).map((id) => `test ${id}`)),
  ]
}
