/** Selects the part of a session's transcript that an agent sees: the last items that fit, oldest first. SPEC.md § TN7. */

export interface WindowLimits {
  items: number
  tokens: number
}

export const defaultWindowLimits: WindowLimits = { items: 8, tokens: 3000 }

/**
 * Drops the oldest items first. The last two (a message and the task it led to) are cut at the start instead of dropped,
 * because a turn needs to see what it follows.
 */
export function transcriptWindow<Item extends { text: string }>(
  items: readonly Item[],
  countTokens: (text: string) => number,
  limits: WindowLimits = defaultWindowLimits,
): Item[] {
  const window: Item[] = []
  let left = limits.tokens
  const recent = items.slice(Math.max(0, items.length - limits.items)).reverse()
  for (const [age, item] of recent.entries()) {
    const tokens = countTokens(item.text)
    if (tokens <= left) {
      window.unshift(item)
      left -= tokens
      continue
    }
    const text = age < 2 ? endOf(item.text, left, countTokens) : undefined
    if (text !== undefined) window.unshift({ ...item, text })
    break
  }
  return window
}

const cut = '[…] '

/** The longest end of a text that fits, marked as cut; empty if not even one character fits. */
function endOf(text: string, tokens: number, countTokens: (text: string) => number): string | undefined {
  const characters = [...text]
  let [tooLong, short] = [0, characters.length]
  while (short - tooLong > 1) {
    const middle = Math.floor((tooLong + short) / 2)
    if (countTokens(cut + characters.slice(middle).join('')) <= tokens) short = middle
    else tooLong = middle
  }
  return short < characters.length ? cut + characters.slice(short).join('') : undefined
}
