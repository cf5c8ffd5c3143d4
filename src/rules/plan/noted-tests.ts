/** What a panel member misses in a test plan that passed becomes a test of the issue that it concerns. SPEC.md § PH4. */
import { keywords } from '../text/words.ts'
import { issuesNamingCode } from './concerned-issues.ts'
import type { Objection } from './phase.ts'

/**
 * By issue, in order. An objection goes to the issues whose code it names, else to the one that shares most words with it, else to the
 * first. `issues`: everything that each says.
 */
export function notedTests(objections: readonly Objection[], issues: readonly string[]): string[][] {
  const noted: string[][] = issues.map(() => [])
  for (const { member, text } of objections) {
    const named = issuesNamingCode(text, issues)
    for (const index of named.length > 0 ? named : nearest(text, issues))
      noted[index]!.push(`noted as missing by ${member}: ${text.replace(/\s+/g, ' ').trim()}`)
  }
  return noted
}

function nearest(text: string, issues: readonly string[]): number[] {
  const own = keywords(text)
  const shared = issues.map((issue) => {
    const words = keywords(issue)
    return [...own].filter((word) => words.has(word)).length
  })
  const best = shared.indexOf(Math.max(...shared))
  return best < 0 ? [] : [best]
}
