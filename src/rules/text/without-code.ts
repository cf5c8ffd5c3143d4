/** Removes code spans and code fences from a message. */

/** A span runs from a run of backticks to the next run of the same length. A run without a partner stays. */
export function withoutCode(text: string): string {
  const rows = [...text.matchAll(/`+/g)].map((match) => ({ start: match.index, length: match[0].length }))
  const partners = nextOfSameLength(rows)
  let plain = ''
  let from = 0
  for (let at = 0; at < rows.length; at++) {
    const partner = partners[at]
    if (partner === undefined) continue
    plain += `${text.slice(from, rows[at]!.start)} `
    from = rows[partner]!.start + rows[partner]!.length
    at = partner
  }
  return plain + text.slice(from)
}

/** Scans from the end, to stay linear on a message full of backticks. */
function nextOfSameLength(rows: readonly { length: number }[]): (number | undefined)[] {
  const next: (number | undefined)[] = new Array(rows.length)
  const nearest = new Map<number, number>()
  for (let at = rows.length - 1; at >= 0; at--) {
    next[at] = nearest.get(rows[at]!.length)
    nearest.set(rows[at]!.length, at)
  }
  return next
}
