/**
 * Reads the JSON of a reply: alone, in a code fence, or with words around it. Whatever is not JSON alone is `loose`.
 * SPEC.md § TN1, RD4, AS1.
 */

export type Fit<Value> = { ok: true; value: Value } | { ok: false; problem: string }
export type ReadReply<Value> = { ok: true; value: Value; loose: boolean } | { ok: false; problem: string }

/**
 * Takes the value that `check` accepts. Of a reply with words around it, exactly one outermost object must check: with
 * several different ones it is unclear which is meant, and with none the problem of the only or last object is named.
 */
export function readReply<Value>(text: string, check: (value: unknown) => Fit<Value>): ReadReply<Value> {
  const whole = parse(text.trim())
  if (whole.ok || whole.repeatedKey) {
    const read = whole.ok ? check(whole.value) : whole
    return read.ok ? { ...read, loose: false } : { ok: false, problem: read.problem }
  }
  const objects = objectsIn(text)
  if (objects.length === 0) return { ok: false, problem: text.trim() === '' ? 'the reply is empty' : unreadable(text) }
  const read = objects.map((json) => ({ json, ...fitted(json, check) }))
  const fitting = read.filter((one) => one.ok)
  const different = new Set(fitting.map(({ json }) => JSON.stringify(JSON.parse(json))))
  if (different.size === 1) return { ok: true, value: (fitting[0] as { value: Value }).value, loose: true }
  if (different.size > 1) {
    const problem = `the reply holds ${different.size} different JSON objects that would do; send only the one you mean`
    return { ok: false, problem }
  }
  return { ok: false, problem: (read.at(-1) as { problem: string }).problem }
}

/** The last outermost object of a text that fits, as JSON; null if none does. For agents that talk while they work. */
export function lastFittingObject(text: string, fits: (value: unknown) => boolean): string | null {
  return objectsIn(text).findLast((json) => fits(JSON.parse(json))) ?? null
}

/** The objects that stand as values in the outermost objects of a text, also those that are written as a string. */
export function argumentsIn(text: string): string[] {
  const values = objectsIn(text).flatMap((json) => Object.values(JSON.parse(json) as object))
  return values.flatMap((value: unknown) => {
    if (typeof value === 'string') return objectsIn(value)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [JSON.stringify(value)] : []
  })
}

function fitted<Value>(json: string, check: (value: unknown) => Fit<Value>): Fit<Value> {
  const parsed = parse(json)
  return parsed.ok ? check(parsed.value) : parsed
}

function unreadable(text: string): string {
  return text.includes('{') ? 'the reply holds no complete JSON object' : 'the reply is not JSON'
}

type Parsed = { ok: true; value: unknown } | { ok: false; problem: string; repeatedKey?: true }

function parse(json: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { ok: false, problem: 'the reply is not JSON' }
  }
  const twice = duplicateKey(json)
  if (twice === undefined) return { ok: true, value }
  return { ok: false, problem: `the key ${JSON.stringify(twice)} appears twice`, repeatedKey: true }
}

/** Bounds the work on hostile text: braces that open again and again and never close. */
const mostScannedAgain = 5_000_000

/** The outermost pieces of a text that are JSON objects. Looks inside braces that are not one, such as code. */
function objectsIn(text: string): string[] {
  const found: string[] = []
  const most = text.length + mostScannedAgain
  let scanned = 0
  for (let at = text.indexOf('{'); at !== -1 && scanned < most; ) {
    const end = endOfObject(text, at)
    scanned += (end ?? text.length) - at
    const json = end === undefined ? undefined : text.slice(at, end)
    const isObject = json !== undefined && isJson(json)
    if (isObject) found.push(json)
    at = text.indexOf('{', isObject ? end : at + 1)
  }
  return found
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The end of the braces that open at `start`; braces in strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
    else if (character === '"') {
      at++
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    }
  }
  return undefined
}

/**
 * `JSON.parse` keeps the last of two equal keys and silently drops the other. The text must be valid JSON.
 * A loop, because a regular expression overflows the stack on a string with millions of escapes.
 */
function duplicateKey(json: string): string | undefined {
  const open: (Set<string> | 'list')[] = []
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push('list')
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(json, at)
      const keys = open.at(-1)
      if (keys instanceof Set && isFollowedByColon(json, end)) {
        const key = JSON.parse(json.slice(at, end)) as string
        if (keys.has(key)) return key
        keys.add(key)
      }
      at = end - 1
    }
  }
  return undefined
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function isFollowedByColon(json: string, from: number): boolean {
  let at = from
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++
  return json[at] === ':'
}
