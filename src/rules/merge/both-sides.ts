/** Settles a conflict between files that only grew, such as tests: the lines of both sides stay. SPEC.md § GR2. */

/** `text` has git's conflict markers; the lines of the common ancestor, where git shows them, are left out. */
export function bothSides(text: string): string {
  let side: 'none' | 'ours' | 'ancestor' | 'theirs' = 'none'
  return text
    .split('\n')
    .filter((line) => {
      const next = nextSide(line, side)
      if (next === undefined) return side !== 'ancestor'
      side = next
      return false
    })
    .join('\n')
}

function nextSide(line: string, side: string): 'none' | 'ours' | 'ancestor' | 'theirs' | undefined {
  if (side === 'none') return /^<{7} /.test(line) ? 'ours' : undefined
  if (side === 'ours' && /^\|{7}(?: |$)/.test(line)) return 'ancestor'
  if ((side === 'ours' || side === 'ancestor') && /^={7}$/.test(line)) return 'theirs'
  return side === 'theirs' && /^>{7} /.test(line) ? 'none' : undefined
}
