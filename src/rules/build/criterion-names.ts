/** Finds the criteria that a test is for, from its name. SPEC.md § VF5. */
import { goSubtest, type TestFacts, testKey } from './test-facts.ts'

/**
 * Matches whole ids: `AC1` is not in `AC10`. In a function name, the words of the id match. A longer id among `all` takes its
 * place for itself: with `skip` and `skip-type`, a test of `skip-type` is not one of `skip`.
 */
export function namesCriterion(name: string, id: string, all: readonly string[] = []): boolean {
  if (isOrdinaryWord(id) && /\s/.test(name.trim())) return marks(name, id)
  const longer = all.filter((other) => other.length > id.length && namesCriterion(other, id))
  const rest = longer.reduce((text, other) => text.replaceAll(other, ' '), name)
  if (standsIn(rest, escaped(id))) return true
  const called = withoutCase(name)
  if (/\s/.test(called)) return false
  const words = wordsOf(called)
  const taken = new Set(longer.flatMap((other) => placesOf(wordsOf(other), words).flat()))
  return placesOf(wordsOf(id), words).some((place) => !place.every((at) => taken.has(at)))
}

/**
 * The criteria that a test is for: those in its own title, else those in the titles of its groups. A group such as
 * `StartTests` does not make a test of `no-start` one of `start`.
 */
export function criteriaOf(
  { name, fullName = name, suite = [] }: Pick<TestFacts, 'name' | 'fullName' | 'suite'>,
  criteria: readonly string[],
): string[] {
  const within = (...titles: string[]) =>
    criteria.filter((id) => titles.some((title) => namesCriterion(title, id, criteria)))
  const own = within(goSubtest.exec(name)?.[2] ?? name)
  return own.length > 0 ? own : within(fullName, [...suite, name].join(' '))
}

/** `a` in "b: a flag stays a flag" is an article. */
function isOrdinaryWord(id: string): boolean {
  return /^(?:a|i|an|as|at|by|if|in|is|it|no|of|on|or|so|to|up|all|and|any|for|not|the)$/.test(id)
}

/** At the beginning of a title, or in brackets. */
function marks(name: string, id: string): boolean {
  return new RegExp(`^\\W*${id}(?![\\p{L}\\p{N}_])|[[(]${id}[\\])]`, 'u').test(name)
}

/** Where these words stand in a row. */
function placesOf(wanted: readonly string[], words: readonly string[]): number[][] {
  if (wanted.length === 0) return []
  const starts = words.keys().filter((start) => wanted.every((word, index) => words[start + index] === word))
  return [...starts].map((start) => wanted.map((_, index) => start + index))
}

/**
 * Maps unplanned tests to criteria. If no test name contains an id, every test counts for every criterion, because one test
 * can check several.
 */
export function coverageByName(
  criteria: readonly string[],
  ran: readonly TestFacts[],
): { criterionId: string; testName: string }[] {
  const named = criteria.flatMap((criterionId) =>
    ran
      .filter((test) => criteriaOf(test, criteria).includes(criterionId))
      .map((test) => ({ criterionId, testName: testKey(test) })),
  )
  if (named.length > 0) return named
  const isForAnother = (test: TestFacts) =>
    namesOf(test).some((name) => criteria.some((id) => standsIn(name, idLike(id))))
  const unnamed = ran.filter((test) => !isForAnother(test))
  return criteria.flatMap((criterionId) => unnamed.map((test) => ({ criterionId, testName: testKey(test) })))
}

/** pytest appends a parameterised case in brackets, which may contain anything. */
function withoutCase(name: string): string {
  const text = name.trim()
  const called = text.endsWith(']') ? /^([^\s[]*\w)\[/.exec(text)?.[1] : undefined
  return called ?? text
}

function namesOf({ name, fullName }: TestFacts): string[] {
  return fullName === undefined ? [name] : [name, fullName]
}

function standsIn(name: string, pattern: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?<!\\p{N}[.-])${pattern}(?![\\p{L}\\p{N}_])(?![.-]\\p{N})`, 'u').test(name)
}

/** Matches ids that differ from this one only in their numbers; undefined for an id without a number. */
function idLike(id: string): string {
  return /\p{N}/u.test(id) ? escaped(id).replace(/\p{N}+/gu, '\\p{N}+') : '(?!)'
}

/** The words of a title or an identifier, in lower case. */
export function wordsOf(name: string): string[] {
  const parts = name.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase())
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
