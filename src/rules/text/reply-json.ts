/** Reads a JSON reply, bare or inside one code fence, with nothing around it. SPEC.md § TN1. */

export type ReplyJson = { ok: true; value: unknown } | { ok: false; problem: string }

export function readReplyJson(text: string): ReplyJson {
  const json = withoutFence(text.trim())
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { ok: false, problem: json === '' ? 'the reply is empty' : 'the reply is not just JSON' }
  }
  const twice = duplicateKey(json)
  if (twice !== undefined) return { ok: false, problem: `the key ${JSON.stringify(twice)} appears twice` }
  return { ok: true, value }
}

/** String operations, because a lazy regular expression takes quadratic time on a long run of spaces. */
function withoutFence(text: string): string {
  if (!text.startsWith(fence) || !text.endsWith(fence) || text.length < 2 * fence.length) return text
  const inside = text.slice(fence.length, -fence.length)
  return (inside.slice(0, 4).toLowerCase() === 'json' ? inside.slice(4) : inside).trim()
}

const fence = '```'

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
