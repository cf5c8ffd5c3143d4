/** Checks that a call was only adapted to a changed signature: no argument replaced by another, only plain values added. SPEC.md § RB2. */

/** A range of tokens in a body. */
export interface Span {
  tokens: readonly string[]
  from: number
  to: number
}

/** The position where the bracket at `at` closes, if it does. */
export function closingOf(tokens: readonly string[], at: number): number | undefined {
  let depth = 0
  for (let index = at; index < tokens.length; index++) {
    if (opening.has(tokens[index]!)) depth++
    if (closing.has(tokens[index]!) && --depth === 0) return index
  }
  return undefined
}

/**
 * Pairs the arguments of a call before and after. Arguments may be reordered, named, or gathered into a list or record.
 * Plain values may be added or arguments dropped, but not both: replacing one by another changes logic.
 */
export function argumentsFit(
  before: Span,
  after: Span,
  same: (before: Span, after: Span) => boolean,
  /** The sign between an argument's name and its value. Elsewhere it may be an assignment. */
  naming: ':' | '=',
): boolean {
  const old = partsOf(before)
  const free = new Set(old)
  const take = (match: Span | undefined) => match !== undefined && free.delete(match)
  const isLeft = ({ value }: Value) => !take([...free].find((one) => textOf(one) === textOf(value)))
  const others = partsOf(after)
    .flatMap((part, place) => valuesOf(part, place, old, naming))
    .filter(isLeft)
  // An argument that is missing may be the same one, renamed, at its old position.
  const added = others.filter(({ value, place }) => {
    const beside = place === undefined ? undefined : old[place]
    return !(beside && free.has(beside) && same(beside, value) && take(beside))
  })
  return added.every(({ value }) => isPlain(value)) && (added.length === 0 || free.size === 0)
}

interface Value {
  value: Span
  /** The index of the argument, if it is one by itself. */
  place?: number
}

/** The values in an argument: itself, or those of a list, record or named argument made of others. */
function valuesOf(part: Span, place: number | undefined, old: readonly Span[], naming: string): Value[] {
  if (old.some((one) => textOf(one) === textOf(part))) return [{ value: part }]
  const inner = gathered(part, naming)
  if (inner) return inner.flatMap((value) => valuesOf(value, undefined, old, naming))
  return [{ value: part, ...(place === undefined ? {} : { place }) }]
}

const opening = new Set(['(', '[', '{'])
const closing = new Set([')', ']', '}'])

function partsOf({ tokens, from, to }: Span): Span[] {
  const parts: Span[] = []
  let start = from
  let depth = 0
  for (let index = from; index < to; index++) {
    if (opening.has(tokens[index]!)) depth++
    if (closing.has(tokens[index]!)) depth--
    if (depth > 0 || tokens[index] !== ',') continue
    parts.push({ tokens, from: start, to: index })
    start = index + 1
  }
  return start < to ? [...parts, { tokens, from: start, to }] : parts
}

/** The values of a list, a record or a named argument. */
function gathered({ tokens, from, to }: Span, naming: string): Span[] | undefined {
  const isWhole = (tokens[from] === '{' || tokens[from] === '[') && closingOf(tokens, from) === to - 1
  if (isWhole) return partsOf({ tokens, from: from + 1, to: to - 1 }).map((part) => withoutName(part, ':'))
  const value = withoutName({ tokens, from, to }, naming)
  return value.from > from ? [value] : undefined
}

function withoutName({ tokens, from, to }: Span, naming: string): Span {
  const isNamed = to - from > 2 && tokens[from + 1] === naming && /^["'\p{L}_$]/u.test(tokens[from]!)
  return { tokens, from: isNamed ? from + 2 : from, to }
}

/** A name, a path of names, or a literal: no computation. */
function isPlain({ tokens, from, to }: Span): boolean {
  const [first, ...rest] = tokens.slice(tokens[from] === '-' ? from + 1 : from, to)
  if (first === undefined || !isWord(first)) return false
  return rest.every((token, index) => (index % 2 === 0 ? token === '.' : isWord(token))) && rest.length % 2 === 0
}

function isWord(token: string): boolean {
  return /^(?:[\p{L}\p{N}_$]+|["'`].*["'`])$/su.test(token)
}

function textOf({ tokens, from, to }: Span): string {
  return tokens.slice(from, to).join(' ')
}
