/** Picks the part of a command's output that shows why it failed. SPEC.md § VF8. */

export const defaultExcerptLimits = {
  lines: 60,
  /** Lines shown before the first error. */
  before: 8,
  /** A longer line is cut. */
  width: 300,
}

/**
 * The lines around the first error, or the last lines if nothing looks like an error. `names` are the failing tests: an
 * error that names one of them is preferred, because other output may only look like an error.
 */
export function outputExcerpt(output: string, names: readonly string[] = [], limits = defaultExcerptLimits): string {
  const lines = readableLines(output)
  if (lines.length <= limits.lines)
    return cut(lines.some(isError) ? withoutProgress(lines).map(({ text }) => text) : lines, limits.width)
  const isNamed = (line: string) => names.some((name) => name.length > 2 && line.includes(name))
  const named = lines.findIndex((line) => isError(line) && isNamed(line))
  const first = named === -1 ? lines.findIndex(isError) : named
  const start = first === -1 ? lines.length - limits.lines : Math.max(0, first - limits.before)
  const below = lines.slice(start)
  const kept = (first === -1 ? below.map((text) => ({ text, lines: 1 })) : withoutProgress(below)).slice(
    0,
    limits.lines,
  )
  const left = below.length - kept.reduce((sum, one) => sum + one.lines, 0)
  const shown = kept.map(({ text }) => text)
  return [
    ...(start > 0 ? [`[${count(start)} before]`] : []),
    cut(shown, limits.width),
    ...(left > 0 ? [`[${count(left)} after]`] : []),
  ].join('\n')
}

/** Of many tests in a row that pass, only the last few are shown; each line says how many lines it stands for. */
function withoutProgress(lines: readonly string[]): { text: string; lines: number }[] {
  const shown: { text: string; lines: number }[] = []
  let run: string[] = []
  const close = () => {
    const hidden = run.length - fewPassing
    if (hidden > 1) shown.push({ text: `[${hidden} lines of tests that pass]`, lines: hidden })
    shown.push(...(hidden > 1 ? run.slice(hidden) : run).map((text) => ({ text, lines: 1 })))
    run = []
  }
  for (const line of lines) {
    if (passing.test(line)) {
      run.push(line)
      continue
    }
    close()
    shown.push({ text: line, lines: 1 })
  }
  close()
  return shown
}

const fewPassing = 3

const passing = /^\s*(?:[✓✔√] |ok \d|PASS\b)|\.\.\. ok$|\bPASSED\b/

/** Without colours, overwritten lines of a progress bar, what shows no cause, repeated failures, and blank lines in a row. */
function readableLines(output: string): string[] {
  const lines = output
    .replace(escapes, '')
    .split(/\r?\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .filter((line) => !runtimeFrame.test(line) && !causeless.test(line))
    .map((line) => line.replace(slotFolder, ''))
  const once = withoutRepeats(lines)
  const kept = once.filter((line, index) => line !== '' || (once[index - 1] ?? '') !== '')
  return kept.at(-1) === '' ? kept.slice(0, -1) : kept
}

/** Runners list their failures again at the end: a stack frame or an error that was shown is not shown again. */
function withoutRepeats(all: readonly string[]): string[] {
  const lines = withoutRecap(all)
  const seen = new Set<string>()
  return lines.filter((line) => {
    if (!/^\s+(?:at |\w*Error\b|[\w$]+: )/.test(line)) return true
    const isNew = !seen.has(line)
    seen.add(line)
    return isNew
  })
}

/** Node's second list of failures, if it says nothing that the first did not. */
function withoutRecap(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => /^✖ failing tests:$/.test(line))
  if (start === -1) return lines
  const shown = new Set(lines.slice(0, start))
  const isOld = (line: string) => line === '' || /^test at /.test(line) || shown.has(line)
  return lines.slice(start + 1).every(isOld) ? lines.slice(0, start) : lines
}

/** Lines that repeat what an assertion error says anyway, or only count. */
const causeless =
  /^\s*(?:generatedMessage: \w+,?|code: 'ERR_ASSERTION',?|operator: '[^']*',?|diff: '[^']*',?|[}\]],?)$|^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

/** Stack frames that are in nobody's code. */
const runtimeFrame = /^\s+at (?:.*\()?node:[\w/]+:\d+/

/** The folder of a clean checkout; the path that follows is the project's own. */
const slotFolder = /(?:file:\/\/)?\/\S*\/build-[\da-f-]{36}\S*?\/\d+\//g

const escapes = new RegExp(
  `${String.fromCharCode(27)}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${String.fromCharCode(7)}]*${String.fromCharCode(7)})`,
  'g',
)

function isError(line: string): boolean {
  return errorSign.test(line) && !noError.test(line)
}

const errorSign =
  /^\s*(?:not ok\b|[✖✗✘×⨯]|●|E {2,}|--- FAIL|FAIL(?:ED)?\b|Traceback \(most recent|panicked at|thread '.*' panicked|error(?:\[\w+\])?:)|\b\w*(?:Error|Exception|AssertionFailure)\b(?::|$)|\b(?:error|fatal|ERR!|FAILED|panic|SyntaxError)\b(?:\s+\w+\d+)?:|\berror TS\d+|: error\b|\bnot implemented\b|^\s+\d+:\d+\s+error\b/

/** Summaries such as `0 errors`, and tests that are about errors and pass. */
const noError = /\b(?:0|no) (?:errors?|failures?|failed|failing)\b|^\s*(?:✓|✔|√|ok \d|ok\b|PASS\b|# |-+$)|\bnpm warn\b/i

function cut(lines: readonly string[], width: number): string {
  return lines.map((line) => (line.length > width ? `${line.slice(0, width)} …` : line)).join('\n')
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}
