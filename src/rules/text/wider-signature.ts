/** Whether a signature or a type has only grown, so that no caller has to know about it. SPEC.md § VF3, MG3. */

/** A type gained optional members or methods. */
export function addsOnlyOptional(before: string, after: string): boolean {
  return gainsOnly(before, after, (member) => optional.test(member) || method.test(member))
}

/**
 * Whether a function has only gained parameters that may be left out, and the objects that it takes or returns only such
 * properties: every call of before still holds. With `language` JavaScript, an untyped one at the end may be left out too, if the code
 * does without: VF3 leaves that to the tests, MG3 does not know.
 */
export function addsOnlyOptions(before: string, after: string, language?: string | null): boolean {
  const [old, young] = [callableOf(before), callableOf(after)]
  if (!old || !young) return false
  if (old.around !== young.around && !addsOnlyOptional(old.around, young.around)) return false
  let next = 0
  for (const parameter of young.members) {
    const known = old.members[next]
    if (known !== undefined && takesAsMuch(known, parameter)) next++
    else if (!mayBeLeftOut(parameter, language) || !isBehindPositions(old.members, next)) return false
  }
  return next === old.members.length
}

function takesAsMuch(parameter: string, now: string): boolean {
  if (parameter === now || takesMoreTypes(parameter, now)) return true
  if (!/^\{.*\}\??$/.test(parameter)) return false
  // Of an object that may be left out, so may each property that no type demands.
  const isFree = (member: string) => parameter.endsWith('?') && /^[\w$]+$/.test(member)
  return gainsOnly(parameter, now, (member) => optional.test(member) || isFree(member))
}

/** `a: str` takes less than `a: str | bytes`, and than `a: str = ...`. */
function takesMoreTypes(parameter: string, now: string): boolean {
  const [old, young] = [parameter, now].map((one) => /^([*\w$]+:)?(.+?)(\?|=\.\.\.)?$/.exec(one))
  if (!old || !young || old[1] !== young[1] || (old[3] !== undefined && old[3] !== young[3])) return false
  // What a function given by the caller returns is no choice of the caller.
  if (`${parameter}${now}`.includes('=>')) return false
  const types = splitOutside(young[2]!, /\|/)
  return splitOutside(old[2]!, /\|/).every((type) => types.includes(type))
}

/** `number?` and a rest in TypeScript; anything in JavaScript; a default, `*`, `*args` and `**rest` in Python. */
function mayBeLeftOut(parameter: string, language?: string | null): boolean {
  if (language === 'javascript' && parameter === '_') return true
  return /\?$|=\.\.\.$|^\*|^\.\.\./.test(parameter)
}

/** No argument that callers pass by its position can move: none is left, or only Python's keywords are. */
function isBehindPositions(old: readonly string[], next: number): boolean {
  const isKeyword = (at: number) => old.slice(0, at + 1).some((one) => one.startsWith('*'))
  return next === old.length || isKeyword(next)
}

function gainsOnly(before: string, after: string, isAllowed: (member: string) => boolean): boolean {
  const [old, young] = [membersOf(before), membersOf(after)]
  if (!old || !young || old.around !== young.around || young.members.length < old.members.length) return false
  if (old.members.join() === young.members.join()) return false
  let next = 0
  const added = young.members.filter((member) => {
    const known = old.members[next]
    if (known === undefined || (member !== known && !gainsInside(known, member, isAllowed))) return true
    next++
    return false
  })
  return next === old.members.length && added.every(isAllowed)
}

/** A member that holds members itself, such as `a: { b: 1 }`. */
function gainsInside(before: string, after: string, isAllowed: (member: string) => boolean): boolean {
  const keyOf = (member: string) => /^(?:readonly )?[\w$'"-]+\??:\{/.exec(member)?.[0]
  return keyOf(before) !== undefined && keyOf(before) === keyOf(after) && gainsOnly(before, after, isAllowed)
}

const optional = /^(?:readonly )?(?:[\w$]+|'[^']*'|"[^"]*")\?(?::|\(|$)/
/** `run(): void`, `run<T>(x: T): T` and `run: (x) => T`. */
const method = /^(?:[\w$]+|'[^']*'|"[^"]*")(?:<.*>)?(?:\(|:(?:<.*>)?\(.*\)=>)/

interface Members {
  /** The text outside the outermost braces. */
  around: string
  members: string[]
}

/** A function's signature: `around` holds `()` where its parameters stood. */
export type Callable = Members

function membersOf(text: string): Members | null {
  const [start, end] = [braceOf(text), text.lastIndexOf('}')]
  if (start === -1 || end < start) return null
  const around = `${plain(text.slice(0, start))}{}${plain(text.slice(end + 1))}`
  return { around, members: splitMembers(text.slice(start + 1, end)) }
}

/** The first brace that is not in type parameters, if there is one: `interface A<T extends { id: number }> { … }`. */
function braceOf(text: string): number {
  const own = outside(text, '{')
  return own === -1 ? text.indexOf('{') : own
}

/** The parameters of a function's signature, and what stands around them; null if it has none. */
export function callableOf(text: string): Members | null {
  const start = outside(text, '(')
  if (start === -1) return null
  let depth = 0
  const end = [...text].findIndex((character, index) => {
    if (index < start) return false
    if ('{[('.includes(character)) depth++
    if ('}])'.includes(character)) depth--
    return depth === 0
  })
  if (end === -1) return null
  const around = `${plain(text.slice(0, start))}()${plain(text.slice(end + 1))}`
  return { around, members: splitMembers(text.slice(start + 1, end)) }
}

/** Where a bracket first stands outside of type parameters. */
function outside(text: string, bracket: '{' | '('): number {
  let depth = 0
  return [...text].findIndex((character, index) => {
    if (character === '<') depth++
    if (character === '>' && text[index - 1] !== '=') depth--
    return character === bracket && depth === 0
  })
}

/** A line break separates members too. */
function splitMembers(text: string): string[] {
  return splitOutside(text, /[;,\n]/)
}

/** Splits at separators outside brackets. */
function splitOutside(text: string, separator: RegExp): string[] {
  const members: string[] = []
  let [depth, member, quote] = [0, '', '']
  for (const [index, character] of [...text].entries()) {
    if (quote !== '' || '\'"`'.includes(character)) {
      quote = quote === '' ? character : quote === character ? '' : quote
      member += character
      continue
    }
    if ('{[(<'.includes(character)) depth++
    if ('}])'.includes(character) || (character === '>' && text[index - 1] !== '=')) depth--
    if (depth === 0 && separator.test(character)) {
      members.push(plain(member))
      member = ''
    } else member += character
  }
  return [...members, plain(member)].filter((one) => one !== '')
}

function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w\s$'"]) ?/g, '$1')
    .trim()
}
