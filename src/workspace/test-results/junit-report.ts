/** Reads JUnit XML, as pytest, Maven, Gradle, PHPUnit, Bun and Deno write it. */
import { emptyReport, type SeenTest, type TestReport } from './test-report.ts'

export function readJunitReport(text: string): TestReport {
  const report = emptyReport()
  let test: Element | undefined
  let outcome: Element | undefined
  let outcomeText = ''
  let outcomes: { element: Element; text: string }[] = []
  for (const token of tokens(text)) {
    if (token.kind === 'text') {
      if (outcome) outcomeText += token.text
      continue
    }
    if (token.kind === 'open' && token.name === 'testcase') {
      test = token
      outcomes = []
    } else if (token.kind === 'open' && test && isOutcome(token.name)) {
      outcome = token
      outcomeText = ''
    }
    if (token.kind === 'open' && !token.closed) continue
    if (outcome && token.name === outcome.name) {
      outcomes.push({ element: outcome, text: outcomeText })
      outcome = undefined
    } else if (test && token.name === 'testcase') {
      addTest(report, test, outcomes)
      test = undefined
    }
  }
  return report
}

interface Element {
  kind: 'open'
  name: string
  attributes: Record<string, string>
  closed: boolean
}
type Token = Element | { kind: 'close'; name: string } | { kind: 'text'; text: string }

function isOutcome(name: string): boolean {
  return ['failure', 'error', 'skipped', 'rerunFailure', 'flakyFailure'].includes(name)
}

function addTest(report: TestReport, { attributes }: Element, outcomes: { element: Element; text: string }[]): void {
  const { name = '', classname = '', file } = attributes
  const red = outcomes.find(({ element }) => element.name === 'failure' || element.name === 'error')
  const failure = red && failureText(red)
  if (file && failure !== undefined && red?.element.attributes.message === 'collection failure') {
    report.broken.push({ file, failure })
    return
  }
  const isSkipped = outcomes.some(({ element }) => element.name === 'skipped')
  const state: SeenTest['state'] = red ? 'failed' : isSkipped ? 'skipped' : 'passed'
  const ownName = name.replace(/\(\)$/, '')
  const seen: SeenTest = { name: ownName, fullName: fullName(ownName, classname, file), state }
  report.tests.push({ ...seen, ...(file ? { file } : {}), ...(failure ? { failure } : {}) })
}

/** The error type is in an attribute (Java), in the message, or at the end of the trace (pytest). */
function failureText({ element, text }: { element: Element; text: string }): string {
  const { type = '', message = '' } = element.attributes
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

const token =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g

function* tokens(text: string): Generator<Token> {
  for (const [, cdata, slash, name, attributes = '', closed, plain] of text.matchAll(token)) {
    if (cdata !== undefined) yield { kind: 'text', text: cdata }
    else if (plain !== undefined) yield { kind: 'text', text: decoded(plain) }
    else if (name && slash) yield { kind: 'close', name }
    else if (name) yield { kind: 'open', name, attributes: readAttributes(attributes), closed: closed === '/' }
  }
}

function readAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  return Object.fromEntries(pairs.map(([, name, double, single]) => [name, decoded(double ?? single ?? '')]))
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole
    const code = Number.parseInt(hex ?? decimal, hex ? 16 : 10)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
