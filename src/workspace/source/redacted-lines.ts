/** Replaces secrets in lines that carry their own prefixes: a private key spans many of them. */

export type RedactText = (text: string) => string

/** Lines as they may be shown, one for each given; lines of a secret that spans several become a mark. */
export function redactLines(lines: readonly string[], redact: RedactText): string[] {
  const whole = lines.join('\n')
  const redacted = redact(whole)
  if (redacted === whole) return [...lines]
  const kept = redacted.split('\n')
  if (kept.length === lines.length) return kept
  // Some lines became one. Equal lines at both ends stay; what lies between is hidden.
  let start = 0
  while (start < kept.length && kept[start] === lines[start]) start++
  let end = 0
  while (end < kept.length - start && kept.at(-1 - end) === lines.at(-1 - end)) end++
  return lines.map((line, index) => (index < start || index >= lines.length - end ? line : hidden))
}

const hidden = '[redacted]'
