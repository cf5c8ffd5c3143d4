/** Decides whether a request is clear enough to plan, and what to ask if it is not. SPEC.md § SG. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { oneLine } from '../text/one-line.ts'
import { keywords } from '../text/words.ts'
import { sameMatter } from './consistency.ts'
import { modes } from './mode.ts'
import { type Dimension, dimensions, questionsFor, type SpecifyResearch, wholeBank } from './question-bank.ts'

export type SpecifyScores = Readonly<Record<Dimension, number>>

export type OwnQuestions = Readonly<Partial<Record<Dimension, readonly string[]>>>

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
  /** The lowest dimension; only if the gate is not passed. */
  weakest?: Dimension
  /** The dimension that the first question is about, if it is another: the weakest has none left, or only general ones. */
  about?: Dimension
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
  /** Questions about a dimension in the project's own terms: asked instead of those of the bank. */
  own?: OwnQuestions
  /** What research left open or unknown: then it decides between equally weak dimensions, and behind it `byWeight`. */
  matters?: readonly string[]
  /** Why the scorer gave each score. */
  reasons?: Readonly<Partial<Record<Dimension, string>>>
  /** What the person was asked before: never asked again. */
  asked?: readonly string[]
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
  const weakest = weakestOf(scores, tieOrder(circumstances))
  if (circumstances.informational) {
    return { score, passed: false, proceed: true, weakest, questions: [], flags: [] } // SG3
  }
  const { iteration, open = [] } = circumstances
  const bank = iteration > limits.max_iterations ? null : nextQuestions(scores, circumstances)
  if (bank === null || (bank.questions.length === 0 && open.length === 0)) {
    const low = score < limits.low_score_threshold ? ['low_specify_score'] : []
    return { score, passed: false, proceed: true, weakest, questions: [], flags: ['specify_not_passed', ...low] }
  }
  const { about, questions } = bank
  const elsewhere = about === weakest ? {} : { about }
  return { score, passed: false, proceed: false, weakest, ...elsewhere, questions: [...open, ...questions], flags: [] } // SG2
}

/**
 * SG2: about the weakest dimension that has a question left, filled up from the next one to at least two. Of dimensions that
 * are equally weak, those with questions in the project's own terms come first.
 */
function nextQuestions(
  scores: SpecifyScores,
  circumstances: SpecifyCircumstances,
): { about: Dimension; questions: string[] } {
  const { iteration, research, own = {}, asked = [] } = circumstances
  const order = tieOrder(circumstances)
  const isNew = (question: string) => !asked.some((one) => sameMatter(one, question))
  const ownOf = (about: Dimension) => (own[about] ?? []).map((one) => oneLine(one, longestQuestion)).filter(Boolean)
  const general = (about: Dimension) => (ownOf(about).some(isNew) ? 0 : 1)
  const weak = order
    .filter((one) => scores[one] < 2)
    .sort((one, other) => scores[one] - scores[other] || general(one) - general(other))
  const found: { about: Dimension; question: string }[] = []
  for (const about of weak) {
    const given = ownOf(about)
    const bank =
      asked.length === 0 ? questionsFor(about, scores[about], iteration, research) : wholeBank(about, research)
    const fresh = [...new Set(given.length > 0 ? given : bank)].filter(isNew)
    const count = found.length === 0 && scores[about] === 0 ? 3 : 2 - found.length
    found.push(...fresh.slice(0, count).map((question) => ({ about, question })))
    if (found.length >= 2) break
  }
  return { about: found[0]?.about ?? weakestOf(scores, order), questions: found.map(({ question }) => question) }
}

const longestQuestion = 400

/** How much an answer usually decides. */
const byWeight: readonly Dimension[] = ['acceptance', 'constraints', 'scope', 'risk', 'value']

/** SG2: the dimensions in the order that breaks ties: first those that share most words with what research left open. */
function tieOrder({ matters, own = {}, reasons = {} }: SpecifyCircumstances): readonly Dimension[] {
  if (matters === undefined) return dimensions
  const open = matters.map(keywords)
  const shared = (about: Dimension) => {
    const told = keywords([...(own[about] ?? []), reasons[about] ?? ''].join(' '))
    return Math.max(0, ...open.map((matter) => [...matter].filter((word) => told.has(word)).length))
  }
  const most = Math.max(...byWeight.map(shared))
  const concerned = most < fewestShared ? [] : byWeight.filter((about) => shared(about) === most)
  return [...concerned, ...byWeight.filter((about) => !concerned.includes(about))]
}

const fewestShared = 2

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

function weakestOf(scores: SpecifyScores, order: readonly Dimension[]): Dimension {
  return order.reduce((weakest, dimension) => (scores[dimension] < scores[weakest] ? dimension : weakest))
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
