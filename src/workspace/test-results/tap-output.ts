/** Parses TAP, as ava, node-tap and others print it. tape has a form of its own. */
import { isTape, readTape } from './tape-output.ts'
import { emptyReport, joined, type SeenTest, type TestReport, withoutColours } from './test-report.ts'

export function isTap(text: string): boolean {
  return /^TAP version \d+/m.test(text) || (/^1\.\.\d+/m.test(text) && /^(?:not )?ok \d+/m.test(text))
}

export function readTap(text: string): TestReport {
  const report = emptyReport()
  if (isTape(text)) return readTape(withoutColours(text))
  const points = topLevelPoints(withoutColours(text).split('\n'))
  points.forEach((point, index) => {
    const file = brokenForAva(points[index + 1])
    if (file) report.broken.push({ file, failure: point.name })
    else if (!brokenForAva(point)) collect(point, [], report)
  })
  return report
}

/** One `ok` or `not ok`, with its children and the comments before it. */
interface Point {
  ok: boolean
  name: string
  directive?: string
  /** It had a `# Subtest` line: it is a test or a group, not a bare assertion. */
  isAnnounced: boolean
  detail: string
  /** Comments since the previous point: why a file cannot be loaded is in them. */
  remarks: string
  children: Point[]
}

interface Level {
  points: Point[]
  announced: boolean
  remarks: string[]
}

const pointLine = /^( *)(not )?ok\b(?: +\d+)?(?: +-)?(?: (.*))?$/

function topLevelPoints(lines: string[]): Point[] {
  const levels: Level[] = [newLevel()]
  const at = (depth: number) => {
    while (levels.length <= depth) levels.push(newLevel())
    return levels[depth]!
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const depth = Math.floor(indent(line) / 4)
    const subtest = /^ *# Subtest: (.*)$/.exec(line)
    if (subtest) {
      at(depth).announced = true
      continue
    }
    const match = pointLine.exec(line)
    if (match) {
      const level = at(depth)
      const detail = detailAfter(lines, index + 1)
      index += detail.lines
      const point = newPoint(match, level, detail.text, levels[depth + 1]?.points ?? [])
      levels.length = depth + 1
      level.points.push(point)
      level.announced = false
      level.remarks = []
      continue
    }
    const remark = /^ *# ?(.*)$/.exec(line)
    if (remark) {
      at(depth).remarks.push(unescaped(remark[1]!))
    }
  }
  return levels[0]!.points
}

function collect(point: Point, groups: readonly string[], report: TestReport, file?: string): void {
  const hasTests = point.children.some(({ isAnnounced, children }) => isAnnounced || children.length > 0)
  const isFile = isFileName(point.name)
  if (isFile && !point.ok && !hasTests) {
    report.broken.push({ file: point.name, failure: point.remarks || point.detail })
    return
  }
  const inside = isFile ? groups : [...groups, point.name]
  const inFile = isFile ? point.name : file
  if (hasTests) for (const child of point.children) collect(child, inside, report, inFile)
  // A test whose points are all tests is a group.
  const isGroup =
    isFile || (hasTests && point.children.every(({ isAnnounced, directive }) => isAnnounced || directive !== undefined))
  if (!isGroup || /^ *type: '?test/m.test(point.detail))
    report.tests.push({ ...seenTest(point, groups), ...(inFile ? { file: inFile } : {}) })
}

/** ava first reports what was thrown, then the file whose process ended. */
function brokenForAva(point: Point | undefined): string | undefined {
  return /^(.+) exited with a non-zero exit code: \d+$/.exec(point?.name ?? '')?.[1]
}

function seenTest(point: Point, groups: readonly string[]): SeenTest {
  const names = { name: point.name, fullName: joined(groups, point.name), suite: [...groups] }
  const state = point.directive ? 'skipped' : point.ok ? 'passed' : 'failed'
  const todo = /todo/i.test(point.directive ?? '') ? { todo: true as const } : {}
  if (state !== 'failed') return { ...names, state, ...todo }
  const cause = firstFailed(point)
  const file = /^ *location: '?(.+?):\d+:\d+'?$/m.exec(point.detail)?.[1]
  return {
    ...names,
    state,
    ...(file ? { file } : {}),
    failure: failureText(cause, cause !== point),
    asserted: isAssertion(point, cause),
  }
}

/** The innermost failed point: the assertion or test that made this one fail. */
function firstFailed(point: Point): Point {
  const child = point.children.find(({ ok, directive }) => !ok && !directive)
  return child ? firstFailed(child) : point
}

/** A bare point inside a test is an assertion, unless it reports an exception. */
function isAssertion(point: Point, cause: Point): boolean {
  return cause !== point && !cause.isAnnounced && !/^ *tapCaught:/m.test(cause.detail)
}

/** Only type and message: the block may also quote the test's source. */
function failureText({ name, detail, remarks, isAnnounced }: Point, isInside: boolean): string {
  const thrown = /Error thrown in test/.test(detail) ? /^ *(\w*Error) \{\n *message: '?(.*?)'?,?$/m.exec(detail) : null
  if (thrown) return `${thrown[1]}: ${thrown[2]}`
  const type = yamlField(detail, 'code') === 'ERR_ASSERTION' ? 'AssertionError' : yamlField(detail, 'name')
  const message = yamlField(detail, 'error') || yamlField(detail, 'message') || (isInside && !isAnnounced ? name : '')
  return [type, failedAssertion(detail), message, rejectedWith(detail)].filter(Boolean).join(': ') || remarks
}

/** ava's assertion with the values that differ, such as `t.is(): - 1 + 2`. */
function failedAssertion(detail: string): string {
  const assertion = yamlField(detail, 'assertion')
  if (assertion === '') return ''
  const values = (
    /^ *(?:values|details):\n([\s\S]*?)(?=^ *(?:at|message|name):|(?![\s\S]))/m.exec(detail)?.[1] ?? ''
  ).split('\n')
  const differing = values.filter((line) => /^\s*[-+] /.test(line)).map((line) => line.trim().replace(/\s+/g, ' '))
  const said =
    differing.length > 0
      ? differing.slice(0, 4).join(' ')
      : (values[0] ?? '')
          .replace(/:?'?: /, ': ')
          .replaceAll("'", '')
          .trim()
  return said === '' ? assertion : `${assertion}: ${said}`
}

/** The reason of a promise that a test returned. */
function rejectedWith(detail: string): string {
  const [, type = '', message = ''] =
    /Rejected promise[^\n]*\n *(\w*Error) \{\n *message: '?(.*?)'?,?$/m.exec(detail) ?? []
  return type === '' ? '' : `${type}: ${message}`
}

/** A field of the block below a point: plain, quoted, or over several lines. */
function yamlField(detail: string, key: string): string {
  // A value may quote a field of the same name, further in.
  const found = [...detail.matchAll(new RegExp(`^( *)${key}: *(.*)$`, 'gm'))]
  const [match] = found.sort((one, other) => one[1]!.length - other[1]!.length)
  if (!match) return ''
  const [whole, spaces = '', value = ''] = match
  if (!/^[|>]/.test(value)) return value.replace(/^(['"])(.*)\1$/, '$2')
  const below = detail.slice(match.index + whole.length + 1).split('\n')
  const end = below.findIndex((line) => line.trim() !== '' && indent(line) <= spaces.length)
  return below
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.trim())
    .join(value.startsWith('>') ? ' ' : '\n')
    .trim()
}

function detailAfter(lines: string[], start: number): { text: string; lines: number } {
  if (!/^ *---\s*$/.test(lines[start] ?? '')) return { text: '', lines: 0 }
  const spaces = indent(lines[start]!)
  const end = lines.findIndex((line, index) => index > start && indent(line) === spaces && /^ *\.\.\.\s*$/.test(line))
  if (end === -1) return { text: '', lines: 0 }
  return { text: lines.slice(start + 1, end).join('\n'), lines: end - start + 1 }
}

function newPoint(match: RegExpExecArray, level: Level, detail: string, children: Point[]): Point {
  const text = match[3] ?? ''
  const directive = /(?:^|\s)# (SKIP|TODO)\b.*$/i.exec(text)
  const name = (directive ? text.slice(0, directive.index) : text).replace(/\s# time=\S+$/, '').replace(/ \{$/, '')
  const remarks = level.remarks.join('\n')
  return {
    ok: !match[2],
    name: unescaped(name.trim()),
    ...(directive ? { directive: directive[1]! } : {}),
    isAnnounced: level.announced,
    detail,
    remarks,
    children,
  }
}

function newLevel(): Level {
  return { points: [], announced: false, remarks: [] }
}

function isFileName(name: string): boolean {
  return /^[^\n]*\.(?:[cm]?[jt]sx?)$/.test(name) && /[./\\]/.test(name)
}

function indent(line: string): number {
  return line.length - line.trimStart().length
}

function unescaped(text: string): string {
  return text.replace(/\\([#\\])/g, '$1')
}
