/** Criteria that speak of all values: the reviewer traces one that no test uses. SPEC.md § VF13. */
import type { Exit, ExitPayload } from '../build/exits.ts'
import type { Problem } from '../schema/problem.ts'

interface Criterion {
  id: string
  text: string
}

/** Numbers without end: tests never use all of them. */
const endless = [
  '\\b(?:from|ab|von)\\s+-?\\d+(?:\\s+(?:up|on|upwards?|onwards?|an|aufwärts))\\b',
  '\\bab\\s+-?\\d+\\b',
  '(?:à|a) partir de\\s+-?\\d+',
  '(?:≥|>=|≤|<=)\\s*-?\\d+',
  '\\b(?:non-?negative|positive|natural|whole)\\s+(?:numbers?|integers?)\\b',
]

/** English, German, French, Spanish. Quoted text and code are not the criterion's own words. */
const speaks = new RegExp(
  [
    '\\b(?:every|each|all|any|whatever|whichever|arbitrary|no matter (?:how|which|what))\\b',
    '\\b(?:jede[mnrs]?|alle[mnrs]?|beliebige?[mnrs]?|sämtliche[mnrs]?|egal wie|egal welche[mnrs]?)\\b',
    "\\b(?:chaque|tous|toutes?|tout|n['’]importe quel(?:le)?s?|quel(?:le)?s? que soi(?:t|ent))\\b",
    '\\b(?:cada|tod[oa]s?|cualquier[a]?|cualesquiera)\\b',
    ...endless,
  ].join('|'),
  'iu',
)

export function speaksOfAll(text: string): boolean {
  return speaks.test(text.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]/g, ' ').replaceAll(ofSome, ' '))
}

/** "while any task runs", "each at most once", "not at all". */
const ofSome =
  /\bwhile any\b|\bany (?:more|longer)\b|\beach (?:at most |only |just |exactly )?once\b|\b(?:not (?:\w+ )?at|first of|above|after) all\b/gi

/** The criteria that need a traced input: those of all values that do not hold already. */
export function criteriaOfAll<One extends Criterion>(
  criteria: readonly One[],
  { own, keep }: { own: readonly string[]; keep: readonly string[] },
): One[] {
  return criteria.filter(({ id, text }) => own.includes(id) && !keep.includes(id) && speaksOfAll(text))
}

const mostShown = 20
const longestCall = 80
const longestTable = 240

/**
 * How tests call the code: calls of these functions, and the tables of parameterised tests, each once. What stood in the files
 * `before` says nothing about new criteria.
 */
export function testedInputs(
  texts: readonly string[],
  functions: readonly string[],
  before: readonly string[] = [],
): string[] {
  const old = new Set(inputsIn(before, functions))
  const all = [...new Set(inputsIn(texts, functions))]
  const fresh = all.filter((one) => !old.has(one))
  return fresh.slice(0, mostShown)
}

function inputsIn(texts: readonly string[], functions: readonly string[]): string[] {
  const names = functions.map((name) => name.replaceAll(/[$]/g, '\\$&')).join('|')
  const calls = names === '' ? null : new RegExp(`(?<![\\w$])(?<!${others})(?:new\\s+)?(?:${names})\\(`, 'g')
  const table = /(?:\.each|\.for|parametrize)\(/g
  return texts.flatMap((text) => [
    ...(calls ? callsIn(text, calls, longestCall) : []),
    ...callsIn(text, table, longestTable).map((one) => one.replace(/^\./, '')),
    ...text.split('\n').flatMap(loopedOver),
  ])
}

/** The list that a loop in this line goes through. */
function loopedOver(line: string): string[] {
  if (line.length > longestLine || !/\bfor\b/.test(line)) return []
  return callsIn(line, /\b(?:of|in) [[(]/g, longestTable).filter((list) =>
    /^\s*[):]/.test(line.slice(line.indexOf(list) + list.length)),
  )
}

const longestLine = 500

/** `JSON.parse()` is no call of a `parse` of the target. */
const others = '\\b(?:JSON|Date|Math|Object|Number|String|Array|Promise|Reflect|URL|json|math|re|os|datetime)\\.'

function callsIn(text: string, opening: RegExp, longest: number): string[] {
  return [...text.matchAll(opening)].flatMap((match) => {
    const end = closing(text, match.index + match[0].length)
    if (end === -1) return []
    const call = text.slice(match.index, end).replaceAll(/\s+/g, ' ')
    return [call.length > longest ? `${call.slice(0, longest)}…)` : call]
  })
}

/** The index after the bracket that closes the one before `start`; -1 if there is none near. */
function closing(text: string, start: number): number {
  let depth = 1
  for (let index = start; index < Math.min(text.length, start + 2000); index++) {
    const character = text[index]!
    if ('([{'.includes(character)) depth++
    if (')]}'.includes(character)) depth--
    if (depth === 0) return index + 1
    if ('\'"`'.includes(character)) index = endOfText(text, index)
  }
  return -1
}

function endOfText(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === text[start]) return index
  }
  return text.length
}

export type TracedInput = NonNullable<ExitPayload<'Approved'>['untested']>[number]

/** Why an approval does not say enough about criteria of all values. */
export function tracingProblems(
  criteria: readonly Criterion[],
  traced: readonly TracedInput[],
  inputs: readonly string[],
  /** Criteria of which the tests use all that there is. */
  exhausted: readonly string[] = [],
): Problem[] {
  return criteria.flatMap(({ id, text }) => {
    const own = traced.filter((one) => isAbout(one, id))
    if (own.length === 0 && exhausted.includes(id) && !new RegExp(endless.join('|'), 'iu').test(text)) return []
    if (own.length === 0)
      return [problem(`${id} speaks of all values, and "untested" traces no input for it that no test uses`)]
    // Work that fails for an input goes back to its author, whoever tried that input before.
    if (counterexamples(own).length > 0) return []
    const fresh = own.filter(({ input }) => !isTested(input, inputs))
    if (fresh.length === 0) return [problem(`the tests of ${id} use ${own[0]!.input} already; trace another input`)]
    const vague = own.find(({ expected, actual }) => compared(expected, actual) === 'unknown')
    if (!vague) return []
    const values = `"${vague.expected}" and "${vague.actual}"`
    return [
      problem(
        `${values} cannot be compared for ${id}: give both as values (a text in quotes), or as "throws TypeError"`,
      ),
    ]
  })
}

/** The traced inputs for which the code gives something else than the criterion wants. */
export function counterexamples(traced: readonly TracedInput[]): TracedInput[] {
  return traced.filter(({ expected, actual }) => compared(expected, actual) === 'different')
}

/** An approval with a counterexample counts as MoreTests: for a test of that input, and for code that passes it. */
export function contradicted(
  found: readonly TracedInput[],
  criteria: readonly Criterion[],
  target: string,
): Exit<'MoreTests'> {
  const idOf = ({ criterionId }: TracedInput) => criterionId ?? criteria[0]?.id ?? ''
  return {
    name: 'MoreTests',
    payload: {
      critiques: found.map((one) => ({
        file: target,
        line: 0,
        issue: `${idOf(one)} does not hold for ${one.input}: it wants ${one.expected}, the code gives ${one.actual}`,
        requiredFix: 'code that holds for this input too, and a test of it',
      })),
      additionalTests: found.map((one) => ({
        criterionId: idOf(one),
        plannedTestName: `${idOf(one)} holds for ${one.input}`,
        approach: `expect ${one.expected}`,
      })),
    },
  }
}

/** Without an id it is about all of them. */
function isAbout({ criterionId }: TracedInput, id: string): boolean {
  return criterionId === id || !criterionId
}

/** `n = 4`, `f(4)` and `4` name the same input. */
function isTested(input: string, calls: readonly string[]): boolean {
  const plain = argumentsOf(input)
  return calls.some((call) => argumentsOf(call) === plain)
}

function argumentsOf(text: string): string {
  const inner = /^[\s\S]*?\(([\s\S]*)\)\s*$/.exec(text)?.[1] ?? text
  return inner
    .trim()
    .replace(/^(["'`])([\s\S]*)\1$/, '$2')
    .replaceAll(/\b\w+\s*[=:]\s*/g, '')
    .replaceAll(/[\s`]/g, '')
    .toLowerCase()
}

/** Descriptions that differ may mean the same: only values and thrown errors can be told apart. */
function compared(expected: string, actual: string): 'same' | 'different' | 'unknown' {
  // A criterion may leave a choice.
  const choices = expected.split(/\s+or\s+/i).map((choice) => choice.replace(/^\s*(?:returns?|gives?|is)\s+/i, ''))
  if (choices.length > 1) {
    const all = choices.map((choice) => compared(choice, actual))
    return all.includes('same') ? 'same' : all.every((one) => one === 'different') ? 'different' : 'unknown'
  }
  const [one, other] = [expected, actual].map(plainValue) as [string, string]
  if (isSame(one, other)) return 'same'
  const [wanted, thrown] = [errorIn(expected), errorIn(actual)]
  // A criterion may want an error of any class; code throws one of a class.
  if (wanted !== null && thrown !== null)
    return wanted === thrown || wanted === '' ? 'same' : thrown === '' ? 'unknown' : 'different'
  if ((wanted !== null && isStatus(other)) || (thrown !== null && isStatus(one))) return 'unknown'
  if (withoutBrackets(one) === withoutBrackets(other)) return 'unknown'
  if ((wanted !== null && saysNoError(actual)) || (thrown !== null && saysNoError(expected))) return 'different'
  const isKnown = (text: string, plain: string, error: string | null) =>
    error !== null || isBare(plain) || isQuoted(text)
  return isKnown(expected, one, wanted) && isKnown(actual, other, thrown) ? 'different' : 'unknown'
}

/** A list may be written with and without its brackets. */
function withoutBrackets(plain: string): string {
  return plain.replaceAll(/[[\](){}]/g, '')
}

function saysNoError(text: string): boolean {
  return /^\W*(?:no (?:error|exception)\b|does(?: not|n't) (?:throw|raise)\b|(?:throws|raises) nothing\b)/i.test(text)
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  // A value with an explanation behind it.
  return short !== '' && long.startsWith(short) && /^\s*(?:[(,;:—–]|\.(?!\d)|-\s)/.test(long.slice(short.length))
}

/** The class of a thrown error, empty if none is named; null for a value, which may speak of errors too. */
function errorIn(text: string): string | null {
  if (/^[\s`]*(?:[[{"'\d+-]|\((?!\s*(?:throw|rais|reject)))/.test(text) || saysNoError(text)) return null
  const name = /\b[A-Z]\w*(?:Error|Exception)\b/.exec(text)?.[0]
  if (name) return name
  if (isStatus(plainValue(text))) return null
  return /\b(?:throws?|thrown|raises?|raised|rejects?|rejected|errors?)\b/i.test(text) ? '' : null
}

/** A single word that is a value as well as the description of an error. */
function isStatus(plain: string): boolean {
  return /^(?:reject(?:s|ed)?|errors?)$/.test(plain)
}

/** A text that is a value and no description. */
function isQuoted(text: string): boolean {
  return /^\s*(["'`])[\s\S]*\1\s*$/.test(text)
}

/** A number, a word, or a list or object, perhaps with a few words behind it. */
function isBare(plain: string): boolean {
  return /^(?:[+-]?\d|[[{(])/.test(plain) || !/\s/.test(plain)
}

/** Blanks count only in quotes. The quotes count only where what they hold would be another value without them: `"10"`. */
function plainValue(text: string): string {
  const plain = unescaped(text)
    .trim()
    .replace(/\.$/, '')
    .replaceAll(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1|\s*([,:;{}[\]()])\s*|\s+/g, (_, quote, inner, sign) =>
      quote === undefined ? (sign ?? ' ') : literal.test(inner) ? `\u0000${inner}\u0000` : inner,
    )
    .replaceAll(/[`'"]/g, '')
    .replaceAll('\u0000', "'")
    .toLowerCase()
  return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? String(Number(plain)) : plain
}

const literal = /^(?:[+-]?\d+(?:\.\d+)?|true|false|null|none|undefined|nan)?$/i

/** `\uD801\uDC00`, `\u{10400}` and `U+10400` are the character itself. */
function unescaped(text: string): string {
  const escapes = /\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\U([0-9a-f]{8})|\bU\+([0-9a-f]{4,6})\b/gi
  return text.replaceAll(escapes, (whole, ...codes: (string | undefined)[]) => {
    const code = Number.parseInt(codes.slice(0, 5).find((one) => one !== undefined)!, 16)
    if (code > 0x10ffff) return whole
    return code >= 0xd800 && code < 0xe000 ? String.fromCharCode(code) : String.fromCodePoint(code)
  })
}

function problem(message: string): Problem {
  return { rule: 'VF13', message }
}
