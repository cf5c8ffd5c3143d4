/** Reads JUnit XML, as pytest, Maven, Gradle, PHPUnit, Bun and Deno write it. */
import { XMLParser } from 'fast-xml-parser'
import { emptyReport, type SeenTest, type TestReport } from './test-report.ts'

export function readJunitReport(text: string): TestReport {
  const report = emptyReport()
  for (const test of testCases(parser.parse(finishedTests(text)))) addTest(report, test)
  return report
}

/** An element: its attributes under `@`, its text under `#text`, its children as lists under their names. */
interface Element {
  '@'?: Record<string, string>
  '#text'?: string
  [child: string]: Element[] | Record<string, string> | string | undefined
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: '@',
  alwaysCreateTextNode: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Numeric entities (`&#10;` in a message) are decoded only with this.
  htmlEntities: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
})

/**
 * The text up to the end of its last complete test. The parser closes what a killed runner left open, so a test that
 * was cut off before its failure would count as passed; and it rejects text that a runner prints after the report.
 */
function finishedTests(text: string): string {
  return /^[\s\S]*(?:<\/testcase\s*>|<testcase\b[^<]*\/>)/.exec(text)?.[0] ?? ''
}

function* testCases(element: Element): Generator<Element> {
  for (const [name, children] of Object.entries(element)) {
    if (!Array.isArray(children)) continue
    if (name === 'testcase') yield* children
    else if (name === 'testsuites' || name === 'testsuite') for (const child of children) yield* testCases(child)
  }
}

function addTest(report: TestReport, test: Element): void {
  const { name = '', classname = '', file } = test['@'] ?? {}
  const red = childrenOf(test, 'failure')[0] ?? childrenOf(test, 'error')[0]
  const failure = red && failureText(red)
  if (file && failure !== undefined && red?.['@']?.message === 'collection failure') {
    report.broken.push({ file, failure })
    return
  }
  const isSkipped = childrenOf(test, 'skipped').length > 0
  const state: SeenTest['state'] = red ? 'failed' : isSkipped ? 'skipped' : 'passed'
  const ownName = name.replace(/\(\)$/, '')
  const seen: SeenTest = { name: ownName, fullName: fullName(ownName, classname, file), state }
  report.tests.push({ ...seen, ...(file ? { file } : {}), ...(failure ? { failure } : {}) })
}

function childrenOf(element: Element, name: string): Element[] {
  const children = element[name]
  return Array.isArray(children) ? children : []
}

/** The type of an error is in an attribute (Java), in the message, or at the end of the trace (pytest). */
function failureText(outcome: Element): string {
  const { type = '', message = '' } = outcome['@'] ?? {}
  const text = outcome['#text'] ?? ''
  const pythonType = /^\S+:\d+: (\w+)\s*$/m.exec(text)?.[1] ?? ''
  const named = pythonType || (/^[\w.$]*[A-Z][\w$]*$/.test(type) ? type : '')
  const head = named && !message.includes(named) ? `${named}: ${message}` : message
  return [head, text].filter(Boolean).join('\n').trim()
}

/** pytest's node id for a Python file; otherwise the class before the name. */
function fullName(name: string, classname: string, file: string | undefined): string {
  if (!file?.endsWith('.py')) return classname && classname !== 'test' ? `${classname} ${name}` : name
  const module = file.replace(/\.py$/, '').replaceAll('/', '.')
  const groups = classname.startsWith(`${module}.`) ? classname.slice(module.length + 1).split('.') : []
  return [file, ...groups, name].join('::')
}
