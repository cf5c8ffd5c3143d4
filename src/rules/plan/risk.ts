/** Finds signs of risk in a prompt and suggests a mode. Advice only. SPEC.md § RK. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { words } from '../text/words.ts'
import type { Mode } from './mode.ts'
import { type RiskCategory, type RiskWords, riskCategories, riskWords, speedWords } from './risk-words.ts'

export interface RiskLimits {
  /** This many categories suggest complete mode. */
  complete: number
  /** This many suggest at least advanced. */
  advanced: number
}

export interface RiskAdvice {
  flags: RiskCategory[]
  suggestion: { mode: Mode; message: string } | null
}

export const defaultRiskLimits: RiskLimits = { complete: 2, advanced: 1 }

export function assessRisk(prompt: string, limits: RiskLimits = defaultRiskLimits): RiskAdvice {
  const signs = riskSigns(prompt)
  const flags = riskCategories.filter((category) => signs.has(category))
  const hurry = flags.length === 0 ? hurryOf(prompt) : undefined
  return { flags, suggestion: suggest(flags, hurry, limits) }
}

/** RK1: the words found for each category, in order. */
export function riskSigns(prompt: string): Map<RiskCategory, string[]> {
  const readings = readingsOf(prompt)
  const signs = new Map<RiskCategory, string[]>()
  for (const category of riskCategories) {
    const found = new Set(readings.flatMap((reading) => wordsFound(reading, riskWords[category])))
    if (found.size > 0) signs.set(category, [...found])
  }
  return signs
}

/** RK2. */
function suggest(flags: RiskCategory[], hurry: string | undefined, limits: RiskLimits): RiskAdvice['suggestion'] {
  const found = `${flags.length === 1 ? 'One risk category' : `${flags.length} risk categories`} (${flags.join(', ')})`
  if (flags.length > 0 && flags.length >= limits.complete) {
    return { mode: 'complete', message: `${found}: complete mode is worth its cost.` }
  }
  if (flags.length > 0 && flags.length >= limits.advanced) {
    return { mode: 'advanced', message: `${found}: plan in advanced mode at least.` }
  }
  if (hurry) {
    return { mode: 'rapid', message: `No risk found, and the request says “${hurry}”: rapid mode is enough.` }
  }
  return null
}

function hurryOf(prompt: string): string | undefined {
  return words(prompt).find((word) => speedWords.has(word))
}

/** The prompt's clauses as words, both as written and with names like `authToken` split. */
function readingsOf(prompt: string): string[][] {
  const clauses = prompt.normalize('NFKC').split(/[.,;:!?]+(?:\s|$)/u) // a pair of words ends where its clause does
  const apart = clauses.map((clause) => clause.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2'))
  return [...clauses, ...apart].map(words)
}

function wordsFound(reading: string[], listed: RiskWords): string[] {
  return reading.flatMap((word, index) => {
    if (listed.words.has(word)) return [word]
    const next = reading[index + 1] ?? ''
    for (const [first, second] of listed.pairs) {
      if (first.has(word) && second.has(next)) return [`${word} ${next}`]
      if (isJoined(word, first, second)) return [word]
    }
    return []
  })
}

/** A pair written as one word, like `apikey`. */
function isJoined(word: string, first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  for (const start of first) {
    if (word.startsWith(start) && second.has(word.slice(start.length))) return true
  }
  return false
}

const riskInput = z.object({
  prompt: z.string(),
  limits: z
    .strictObject({
      complete: z.number().int().nonnegative().default(defaultRiskLimits.complete),
      advanced: z.number().int().nonnegative().default(defaultRiskLimits.advanced),
    })
    .prefault({}),
})

export type RiskInput = z.infer<typeof riskInput>

export const rule: Rule<RiskInput, RiskAdvice> = {
  name: 'risk',
  input: riskInput,
  decide: ({ prompt, limits }) => assessRisk(prompt, limits),
  explain,
}

function explain({ prompt }: RiskInput, advice: RiskAdvice): string {
  const lines = [...riskSigns(prompt)].map(([category, found]) => `${category}: ${found.slice(0, 8).join(', ')} [RK1]`)
  if (lines.length === 0) lines.push('No risk category found [RK1]')
  lines.push(advice.suggestion ? `Suggested: ${advice.suggestion.message} [RK2]` : 'No mode suggested [RK2]')
  return lines.join('\n')
}
