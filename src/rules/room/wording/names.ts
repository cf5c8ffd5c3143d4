/** Finds where a message names an agent, with or without `@`. SPEC.md § DP9. */
import { byCodeUnit } from '../../text/by-code-unit.ts'

export interface NameAt {
  agent: string
  at: number
  end: number
}

/** In message order. `text` is in lower case. Only whole names count: `gpt-4` does not name gpt. */
export function namesIn(text: string, agents: readonly string[]): NameAt[] {
  const found: NameAt[] = []
  for (const agent of [...new Set(agents)].sort(byLength)) {
    const name = agent.toLowerCase()
    if (name === '') continue
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
      const end = at + name.length
      if (isWhole(text, at, end) && found.every((one) => end <= one.at || at >= one.end)) found.push({ agent, at, end })
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

function isWhole(text: string, at: number, end: number): boolean {
  return (
    !/[\p{L}\p{N}_\-./\\]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    !/^(?:[-./]?[\p{L}\p{N}_])/u.test(text.slice(end, end + 3))
  )
}

/** Longest first, so that `gpt-mini` is not read as gpt. */
function byLength(a: string, b: string): number {
  return b.length - a.length || byCodeUnit(a, b)
}

/** What stands between two names that are listed: "gpt, claude and gemini". */
export const listOnly = /^(?:,| ?& ?|,? (?:and|und|et|y|or) |\/)\s*@?$/

/** What stands between the name of an agent and that of its partner: "gpt, you and claude", "gpt, together with claude". */
export const withYou =
  /^\s?[,:]? ?(?:(?:you|du|toi|tú|usted),? (?:and|und|et|y|plus|sowie)|(?:together|along) with|(?:zusammen|gemeinsam) mit|(?:ensemble )?avec|junto con) @?$/u
