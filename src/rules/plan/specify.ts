/** Decides whether a request is clear enough to plan, and what to ask if it is not. SPEC.md § SG. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { modes } from './mode.ts'
import { type Dimension, dimensions, questionsFor, type SpecifyResearch } from './question-bank.ts'

export type SpecifyScores = Readonly<Record<Dimension, number>>

export interface SpecifyLimits {
  threshold: number
  /** The threshold after degraded research. */
  degraded_threshold: number
  /** Rounds of questions before the plan continues anyway. */
  max_iterations: number
  /** Below this after the last round, later phases are flagged. */
  low_score_threshold: number
}

export interface SpecifyVerdict {
  score: number
  passed: boolean
  proceed: boolean
  /** The dimension to ask about; only if the gate is not passed. */
  weakest?: Dimension
  questions: string[]
  flags: string[]
}

export interface SpecifyCircumstances {
  /** 1 for the first scoring: one more than the rounds of questions asked. */
  iteration: number
  /** Rapid mode: the score is shown and decides nothing. */
  informational?: boolean
  researchDegraded?: boolean
  research?: SpecifyResearch
  /** HIGH open questions of the agents that nobody has answered: asked before those of the bank. */
  open?: readonly string[]
}

export const defaultSpecifyLimits: SpecifyLimits = {
  threshold: 8,
  degraded_threshold: 6,
  max_iterations: 3,
  low_score_threshold: 6,
}

export function specify(
  scores: SpecifyScores,
  circumstances: SpecifyCircumstances,
  limits: SpecifyLimits = defaultSpecifyLimits,
): SpecifyVerdict {
  const score = total(scores) // SG1
  if (score >= thresholdOf(circumstances, limits)) {
    return { score, passed: true, proceed: true, questions: [], flags: [] }
  }
  const weakest = weakestOf(scores)
  if (circumstances.informational) {
    return { score, passed: false, proceed: true, weakest, questions: [], flags: [] } // SG3
  }
  const { iteration, research, open = [] } = circumstances
  if (iteration > limits.max_iterations) {
    const low = score < limits.low_score_threshold ? ['low_specify_score'] : []
    return { score, passed: false, proceed: true, weakest, questions: [], flags: ['specify_not_passed', ...low] }
  }
  const questions = [...open, ...questionsFor(weakest, scores[weakest], iteration, research)]
  return { score, passed: false, proceed: false, weakest, questions, flags: [] } // SG2
}

/** SG2: what the last answers changed, such as "scope 0 → 2, now 7/10". */
export function specifyProgress(before: SpecifyScores, after: SpecifyScores): string {
  const changes = dimensions
    .filter((dimension) => before[dimension] !== after[dimension])
    .map((dimension) => `${dimension} ${before[dimension]} → ${after[dimension]}`)
  const standing = `${total(after)}/${dimensions.length * 2}`
  return changes.length > 0 ? `${changes.join(', ')}, now ${standing}` : `no change, still ${standing}`
}

function total(scores: SpecifyScores): number {
  return dimensions.reduce((sum, dimension) => sum + scores[dimension], 0)
}

function weakestOf(scores: SpecifyScores): Dimension {
  return dimensions.reduce((weakest, dimension) => (scores[dimension] < scores[weakest] ? dimension : weakest))
}

function thresholdOf(circumstances: SpecifyCircumstances, limits: SpecifyLimits): number {
  return circumstances.researchDegraded ? limits.degraded_threshold : limits.threshold // SG3
}

const points = z.number().int().min(0).max(2)
const outOfTen = z.number().int().min(0).max(10)
const words = z.string().optional()

const specifyInput = z.object({
  scores: z.object({ value: points, scope: points, acceptance: points, constraints: points, risk: points }),
  iteration: z.number().int().min(1),
  mode: z.enum(modes).optional(),
  research_degraded: z.boolean().optional(),
  research: z
    .object({
      edge_case: words,
      error_condition: words,
      related_feature: words,
      system: words,
      unknown: words,
      risk: words,
    })
    .optional(),
  limits: z
    .strictObject({
      threshold: outOfTen.default(defaultSpecifyLimits.threshold),
      degraded_threshold: outOfTen.default(defaultSpecifyLimits.degraded_threshold),
      max_iterations: z.number().int().nonnegative().default(defaultSpecifyLimits.max_iterations),
      low_score_threshold: outOfTen.default(defaultSpecifyLimits.low_score_threshold),
    })
    .prefault({}),
})

export type SpecifyInput = z.infer<typeof specifyInput>

export const rule: Rule<SpecifyInput, SpecifyVerdict> = {
  name: 'specify',
  input: specifyInput,
  decide: (input) => specify(input.scores, circumstancesOf(input), input.limits),
  explain,
}

function circumstancesOf({ iteration, mode, research_degraded, research }: SpecifyInput): SpecifyCircumstances {
  return { iteration, informational: mode === 'rapid', researchDegraded: research_degraded, research }
}

function explain(input: SpecifyInput, verdict: SpecifyVerdict): string {
  const threshold = thresholdOf(circumstancesOf(input), input.limits)
  const lines = [`${verdict.score}/10, ${threshold} needed: ${verdict.passed ? 'passed' : 'not passed'} [SG1]`]
  lines.push(`  ${dimensions.map((dimension) => `${dimension} ${input.scores[dimension]}`).join(', ')}`)
  if (input.research_degraded) lines.push(`  research was degraded, so ${threshold} passes [SG3]`)
  if (verdict.passed) return lines.join('\n')
  if (input.mode === 'rapid') {
    lines.push('  rapid mode: informational, planning continues [SG3]')
  } else if (verdict.proceed) {
    lines.push(`  all ${input.limits.max_iterations} rounds of questions are used: planning continues, flagged [SG2]`)
  } else {
    lines.push(`  ask about ${verdict.weakest}, round ${input.iteration} of ${input.limits.max_iterations} [SG2]`)
    lines.push(...verdict.questions.map((question) => `    ${question}`))
  }
  if (verdict.flags.length > 0) lines.push(`  flags: ${verdict.flags.join(', ')}`)
  return lines.join('\n')
}
