/** Measures how far agents agree, by their words and by their conclusions. SPEC.md § CV. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { oneLine } from '../text/one-line.ts'
import { type ConvergenceLimits, convergenceLimitsSchema, defaultConvergenceLimits } from './convergence-limits.ts'
import { lexicalAgreement } from './lexical-agreement.ts'
import { type Position, tally } from './positions/position.ts'
import { positionAgreement } from './positions/position-agreement.ts'
import { conclusionOf, extractAgreement } from './positions/position-extraction.ts'

export type ConvergenceLevel = 'high' | 'medium' | 'low'
export type ConvergenceVerdict = ConvergenceLevel | 'ambiguous'

export interface MeasuredConvergence {
  /** The lexical score, rounded to four decimals. */
  score: number
  /** Null if no word of agreement or disagreement was found; the score then uses one half. */
  agreement_ratio: number | null
  stability: number
  level: ConvergenceLevel
  positions: { score: number; level: ConvergenceLevel }
  /** The level of the positions; ambiguous if the two measures contradict each other. */
  verdict: ConvergenceVerdict
}

export interface SkippedConvergence {
  score: null
  agreement_ratio: null
  stability: null
  level: null
  positions: { score: null; level: null }
  verdict: null
  /** Why nothing was measured. */
  skipped: string
  /** True if every output is empty. */
  degraded: boolean
}

export type Convergence = MeasuredConvergence | SkippedConvergence

export function convergence(
  outputs: readonly string[],
  positions: readonly Position[] = [],
  limits: ConvergenceLimits = defaultConvergenceLimits,
): Convergence {
  const spoken = withoutEmpty(outputs) // CV1
  if (spoken.length === 0) return skipped('every output is empty', true) // CV4
  if (spoken.length === 1) return skipped('only one output', false) // CV4

  const { ratio, stability } = lexicalAgreement(spoken) // CV1, CV2
  const score = rounded(limits.agreement_weight * (ratio ?? 0.5) + limits.stability_weight * stability)
  const level = levelOf(score, limits.threshold_high, limits.threshold_low) // CV3

  const stated = positionAgreement(positions, limits.weigh_confidence)
  const conclusions = rounded(stated ?? extractAgreement(spoken).score) // CV5
  const conclusionLevel = levelOf(conclusions, limits.positions_high, limits.positions_low)
  return {
    score,
    agreement_ratio: ratio,
    stability,
    level,
    positions: { score: conclusions, level: conclusionLevel },
    verdict: verdictOf(score, conclusions, limits),
  }
}

export type VerdictLimits = Pick<
  ConvergenceLimits,
  'threshold_high' | 'threshold_low' | 'positions_high' | 'positions_low'
>

/** [CV5] The level of the positions; ambiguous if the words point the other way. `score` is null where meaning was read (CV7). */
export function verdictOf(
  score: number | null,
  positions: number,
  limits: VerdictLimits,
): ConvergenceLevel | 'ambiguous' {
  const level = levelOf(positions, limits.positions_high, limits.positions_low)
  if (score === null) return level
  return areFarApart(levelOf(score, limits.threshold_high, limits.threshold_low), level) ? 'ambiguous' : level
}

function withoutEmpty(outputs: readonly string[]): string[] {
  return outputs.filter((output) => output.trim() !== '')
}

function skipped(reason: string, degraded: boolean): SkippedConvergence {
  const positions = { score: null, level: null }
  return {
    score: null,
    agreement_ratio: null,
    stability: null,
    level: null,
    positions,
    verdict: null,
    skipped: reason,
    degraded,
  }
}

export function levelOf(score: number, high: number, low: number): ConvergenceLevel {
  if (score >= high) return 'high'
  return score >= low ? 'medium' : 'low'
}

function areFarApart(one: ConvergenceLevel, other: ConvergenceLevel): boolean {
  return one !== other && one !== 'medium' && other !== 'medium'
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000
}

const positionSchema = z.object({
  agent: z.string(),
  question: z.string(),
  choice: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  confidence: z.number().optional(),
})

const convergenceInput = z.object({
  outputs: z.array(z.string()).max(1000),
  positions: z.array(positionSchema).max(10_000).optional(),
  limits: convergenceLimitsSchema.prefault({}),
})

export type ConvergenceInput = z.infer<typeof convergenceInput>

export const rule: Rule<ConvergenceInput, Convergence> = {
  name: 'convergence',
  input: convergenceInput,
  decide: ({ outputs, positions, limits }) => convergence(outputs, positions, limits),
  explain,
}

const meanings: Record<ConvergenceVerdict, string> = {
  high: 'a quick synthesis is enough',
  medium: 'a standard synthesis, with what they share and where they differ',
  low: 'tables of agreement and disagreement, and a question to the user',
  ambiguous: 'words and conclusions contradict each other; treated as medium',
}

function explain({ outputs, positions = [], limits }: ConvergenceInput, output: Convergence): string {
  if (output.verdict === null) return `SKIPPED: ${output.skipped}${output.degraded ? ', degraded' : ''} [CV4]`
  const spoken = withoutEmpty(outputs)
  const ratio = output.agreement_ratio === null ? 'none counted, 0.50 assumed' : output.agreement_ratio.toFixed(2)
  const dropped = outputs.length - spoken.length
  const stated = positionAgreement(positions) !== undefined
  return [
    `${output.verdict.toUpperCase()}: ${meanings[output.verdict]} [${output.verdict === 'ambiguous' ? 'CV5' : 'CV3'}]`,
    ...(dropped > 0 ? [`  ${dropped} empty ${dropped === 1 ? 'output' : 'outputs'} left out [CV1]`] : []),
    `  words      ${output.score.toFixed(4)}  ${output.level}: assent ${ratio} [CV1], shared words ${output.stability.toFixed(2)} [CV2]`,
    `  positions  ${output.positions.score.toFixed(4)}  ${output.positions.level}: ${stated ? 'as the agents stated them' : 'read from the outputs'} [CV5]`,
    `  high from ${limits.threshold_high}, medium from ${limits.threshold_low}; for positions ${limits.positions_high} and ${limits.positions_low} [CV3]`,
    ...(stated ? votesOf(positions) : conclusionsOf(spoken)),
  ].join('\n')
}

const shown = 10

function votesOf(positions: readonly Position[]): string[] {
  return tally(positions)
    .slice(0, shown)
    .flatMap(({ question, votes, missing }) => [
      `  ${oneLine(question)} [CV6]`,
      ...votes
        .slice(0, shown)
        .map(({ choice, agents }) => `    ${agents.length} × ${oneLine(choice, 40)}: ${oneLine(agents.join(', '))}`),
      ...(missing.length > 0 ? [`    no position: ${oneLine(missing.join(', '))}`] : []),
    ])
}

function conclusionsOf(outputs: readonly string[]): string[] {
  return outputs.slice(0, shown).map((output, index) => `    ${index + 1}. ${oneLine(conclusionOf(output))}`)
}
