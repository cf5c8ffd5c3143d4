/**
 * Streams the decoded `message` of a turn's envelope while its JSON is still arriving, and nothing else of it.
 * Shows nothing of a reply that is not JSON.
 */
export function messageTextOnly(): (piece: string) => string {
  let state: 'before' | 'inside' | 'after' = 'before'
  /** Input that is not yet consumed. Keep it short: every new piece is scanned together with it. */
  let text = ''
  return (piece) => {
    if (state === 'after') return ''
    text += piece
    if (state === 'before') {
      if (isNoObject.test(text)) state = 'after'
      const start = state === 'before' ? valueStart(text) : null
      if (start === null) return ''
      text = text.slice(start)
      state = 'inside'
    }
    const { shown, next, ended } = decode(text)
    text = text.slice(next)
    if (ended) state = 'after'
    return shown
  }
}

const isNoObject = /^\s*[^\s`{]/

/** Where the string value of the top-level key `message` begins; null if it has not arrived yet. */
function valueStart(text: string): number | null {
  const opening = /^\s*(?:```(?:json)?\s*)?\{/i.exec(text)
  if (!opening) return null
  let depth = 1
  for (let at = opening[0].length; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === '"') {
      const end = stringEnd(text, at)
      if (end === null) return null
      const key = depth === 1 && text.slice(at, end) === '"message"' ? /^\s*:\s*"/.exec(text.slice(end)) : null
      if (key) return end + key[0].length
      at = end - 1
    }
  }
  return null
}

function stringEnd(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return null
}

const escapes = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' }))

/** Decodes what has arrived of the string. An incomplete escape waits for the rest; an invalid one ends the string. */
function decode(text: string): { shown: string; next: number; ended: boolean } {
  let shown = ''
  let at = 0
  while (at < text.length) {
    const character = text[at]!
    if (character === '"') return { shown, next: at + 1, ended: true }
    if (character !== '\\') {
      shown += character
      at++
      continue
    }
    const escaped = text[at + 1]
    if (escaped === undefined) break
    if (escaped !== 'u') {
      const decoded = escapes.get(escaped)
      if (decoded === undefined) return { shown, next: at, ended: true }
      shown += decoded
      at += 2
      continue
    }
    const code = text.slice(at + 2, at + 6)
    if (code.length < 4) break
    if (!/^[\da-f]{4}$/i.test(code)) return { shown, next: at, ended: true }
    shown += String.fromCharCode(Number.parseInt(code, 16))
    at += 6
  }
  return { shown, next: at, ended: false }
}
