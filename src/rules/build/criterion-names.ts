/** Tells from a test's name which criteria it is for. SPEC.md § VF5. */
import { type TestFacts, testKey } from './test-facts.ts'

/** The whole id stands in the name: `AC1` is not in `AC10`. In the name of a function the words of the id do. */
export function namesCriterion(name: string, id: string): boolean {
  if (standsIn(name, escaped(id))) return true
  const called = withoutCase(name)
  if (/\s/.test(called)) return false
  const [words, wanted] = [wordsOf(called), wordsOf(id)]
  if (wanted.length === 0) return false
  return words.some((_, start) => wanted.every((word, index) => words[start + index] === word))
}

/**
 * Which tests stand for which criterion where nobody planned them. Where no name tells, any of them may be for any
 * criterion: one test can check several.
 */
export function coverageByName(
  criteria: readonly string[],
  ran: readonly TestFacts[],
): { criterionId: string; testName: string }[] {
  const named = criteria.flatMap((criterionId) =>
    ran
      .filter((test) => namesOf(test).some((name) => namesCriterion(name, criterionId)))
      .map((test) => ({ criterionId, testName: testKey(test) })),
  )
  if (named.length > 0) return named
  const isForAnother = (test: TestFacts) =>
    namesOf(test).some((name) => criteria.some((id) => standsIn(name, idLike(id))))
  const unnamed = ran.filter((test) => !isForAnother(test))
  return criteria.flatMap((criterionId) => unnamed.map((test) => ({ criterionId, testName: testKey(test) })))
}

/** pytest puts a case in brackets behind the function's name, and there may be anything in it. */
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

/** Ids that differ from this one in their numbers alone; nothing is like an id without a number. */
function idLike(id: string): string {
  return /\p{N}/u.test(id) ? escaped(id).replace(/\p{N}+/gu, '\\p{N}+') : '(?!)'
}

function wordsOf(name: string): string[] {
  const parts = name.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase())
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
