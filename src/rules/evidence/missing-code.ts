/** Whether a test fails because the code it is for does not exist yet. SPEC.md § VF2. */
import { isWithin } from '../build/path-confinement.ts'
import type { TestFacts } from '../build/test-facts.ts'

/** `unwritten` are the files of the code: an error that is thrown there comes from a stub, also while it loads. */
export function failsForMissingCode(
  { message = '', thrownIn }: Pick<TestFacts, 'message' | 'thrownIn'>,
  unwritten: readonly string[],
): boolean {
  if (thrownIn !== undefined && unwritten.some((path) => isWithin(thrownIn, path))) return true
  return saysMissing(message)
}

/**
 * Whether an error says that a value was wrong, as an assertion does: thrown by code or a helper that was there before, or as a plain
 * `Error` by the test itself. `written` are the files that the test's author changed.
 */
export function isThrownOnPurpose(
  { message = '', thrownIn }: Pick<TestFacts, 'message' | 'thrownIn'>,
  written: readonly string[],
): boolean {
  const [first = ''] = message.split('\n')
  if (thrownIn === undefined || bySurroundings.test(first)) return false
  return !written.some((path) => isWithin(thrownIn, path)) || plainError.test(first)
}

const plainError = /^(?:E +)?(?:Error|Exception)(?: \[\w+\])?: /

/** What the system, a program or the runner itself throws. */
const bySurroundings = /\bE[A-Z]{3,}\b|\bCommand failed\b|^Error: \[|\bHook timed out\b/

/** Whether an error is about a function, member, variable or export that does not exist. */
export function saysMissing(text: string): boolean {
  return missing.some((pattern) => pattern.test(text))
}

const missing: readonly RegExp[] = [
  /\bis not a (?:function|constructor)\b/,
  /\bReferenceError\b.*\bis not defined\b|\bNameError: name .* is not defined/,
  /\bhas no (?:attribute|exported member|member|method|field|associated function)\b/,
  /\bCannot read propert(?:y|ies) of (?:undefined|null)|\bundefined is not an object\b/,
  /\bProperty .* does not exist on type\b|\bCannot find name\b|\berror TS(?:2304|2305|2307|2339|2551|2552|2554|2614|2724)\b/,
  /\bundefined: \w|\bundefined method\b|\buninitialized constant\b|\bcannot find (?:function|value|type|symbol|macro)\b/,
  /\bgot an unexpected keyword argument\b|\btakes \d+ positional arguments?\b/,
]

/** The names that errors call missing: functions, members and exports. */
export function missingNames(text: string): string[] {
  return missingName.flatMap((pattern) => [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []))
}

const missingName: readonly RegExp[] = [
  /([\w$]+)(?:\(\.\.\.\))? is not a (?:function|constructor)\b/g,
  /\bhas no (?:attribute|exported member|member|method|field|associated function)(?: named)? ['"`](\w+)['"`]/g,
  /\bProperty '(\w+)' does not exist on type\b/g,
  /\bundefined: (?:\w+\.)?(\w+)/g,
]
