/** Finds functions that are not implemented yet, by language. SPEC.md § VF5. */
import type { SymbolFacts, SyntaxFacts } from './syntax-facts.ts'

const unfinished = String.raw`(not[\s_-]*(yet[\s_-]*)?implemented|unimplemented|["'\x60]\s*todo\s*["'\x60])`

/** A stub is a single statement that fails with "not implemented"; a branch that rejects something is not a stub. */
const failing = new RegExp(
  String.raw`\b(throw|raise|panic|reject|fail|error|die|abort)\b[^;{}]*${unfinished}[^;{}]*`,
  'i',
)

/** `whole`: matches the whole body. `line`: matches a line of a file that is not parsed. */
const byLanguage = new Map<string, { whole: readonly RegExp[]; line: readonly RegExp[] }>([
  [
    'python',
    { whole: [/raise NotImplementedError\b[^;{}]*/, /pass|\.\.\./], line: [/\braise\s+NotImplementedError\b/] },
  ],
  ['rust', { whole: [/(todo|unimplemented) ?![^;{}]*/], line: [/\b(todo|unimplemented)\s*!/] }],
  ['haskell', { whole: [/undefined/], line: [/=\s*undefined\s*$/] }],
])

/** In tokens. A longer body does something. */
const longestStub = 60

export interface Stub {
  file: string
  symbol: string
}

/** The functions whose whole body is a marker. Abstract members are not stubs. */
export function stubsIn(facts: SyntaxFacts): Stub[] {
  if (facts.language === null) return []
  const own = byLanguage.get(facts.language)
  if (!facts.parsed) {
    const patterns = [failing, ...(own?.line ?? [])]
    const isStub = facts.lines?.some((line) => patterns.some((pattern) => pattern.test(line)))
    return isStub ? [{ file: facts.file, symbol: facts.file }] : []
  }
  const whole = [failing, ...(own?.whole ?? [])].map(
    ({ source, flags }) => new RegExp(`^(return )?[\\w. ]*?(${source})$`, flags),
  )
  const stubs = facts.symbols.filter(
    (symbol) => maybeStub(symbol) && whole.some((one) => one.test(statementOf(symbol))),
  )
  return stubs.map(({ name }) => ({ file: facts.file, symbol: name }))
}

function maybeStub({ kind, abstract, bodyTokens }: SymbolFacts): boolean {
  if (bodyTokens.length > longestStub) return false
  return !abstract && (kind === 'function' || kind === 'method' || kind === 'constant')
}

/** The body without its braces, a leading doc string and statements that mark parameters as unused. */
function statementOf({ bodyTokens }: SymbolFacts): string {
  return bodyTokens
    .join(' ')
    .replace(/^\{ ?(.*?) ?\}$/s, '$1')
    .replace(/^(["']{3}.*?["']{3}|"[^"]*"|'[^']*') ;? ?(?=\S)/s, '')
    .replace(/^(void \w+ ;? ?)+/, '')
    .replace(/[; ]+$/, '')
}
