/** The questions about each dimension of an unclear request. SPEC.md § SG2. */
import { oneLine } from '../text/one-line.ts'

/** In the order that breaks ties. */
export const dimensions = ['value', 'scope', 'acceptance', 'constraints', 'risk'] as const

export type Dimension = (typeof dimensions)[number]

/** Findings of research that make a question concrete. */
export interface SpecifyResearch {
  edge_case?: string
  error_condition?: string
  related_feature?: string
  system?: string
  unknown?: string
  risk?: string
}

/** What earns 0, 1 and 2 points in each dimension; part of the scorer's prompt. */
export const rubric: Readonly<Record<Dimension, readonly [string, string, string]>> = {
  value: [
    'Neither the problem nor a measure of success is stated',
    'The problem is named, but success is vague',
    'The problem is clear and success can be measured',
  ],
  scope: [
    'No scope at all',
    'Some limits, but no smallest useful version',
    'The smallest useful version and what stays out are both written down',
  ],
  acceptance: [
    'Nothing that could be tested',
    'Some criteria, but vague or impossible to test',
    'Every main flow has criteria that a test can check',
  ],
  constraints: [
    'No technical or business limits are mentioned',
    'Some limits are mentioned',
    'Speed, security, compatibility and integration limits are written down',
  ],
  risk: [
    'No risk is mentioned',
    'Risks are mentioned without a plan for them',
    'The main risks have a plan, or are listed as open questions',
  ],
}

/** `{name}` is filled from research. */
export const questionBank: Readonly<Record<Dimension, readonly [string, string, string]>> = {
  value: [
    'Whose problem does this solve, and what does it cost them today?',
    'Which number or observation will tell you that it worked?',
    'What would you lose by leaving things as they are?',
  ],
  scope: [
    'If only one slice could ship, which one would already be useful?',
    'What have you decided to leave out this time?',
    'Should {related_feature} stay exactly as it is, or may it change along the way?',
  ],
  acceptance: [
    'Take one user from start to finish: what do they do, and what do they see after each step?',
    'What is the right result for {edge_case}?',
    'How should it respond to {error_condition}?',
  ],
  constraints: [
    'How fast must it be, and how much load must it take?',
    'Which rules on access, encryption or privacy apply here?',
    'Which systems does it have to work with, {system} among them?',
  ],
  risk: [
    'Where is this most likely to go wrong, and what about {risk}?',
    'Whom or what do you depend on that you do not control?',
    'What is still unknown about {unknown}, and who could find out?',
  ],
}

const defaults: Readonly<Required<SpecifyResearch>> = {
  edge_case: 'empty, very large or repeated input',
  error_condition: 'a step that fails halfway',
  related_feature: 'the behaviour next to it',
  system: 'those already in place',
  unknown: 'the technical side',
  risk: 'the part that is hardest to undo',
}

/**
 * Three questions about a missing dimension, two about a partial one. The bank rotates with the round, so that asking
 * again starts with other questions.
 */
export function questionsFor(
  dimension: Dimension,
  score: number,
  round: number,
  research: SpecifyResearch = {},
): string[] {
  const bank = questionBank[dimension]
  const count = score === 0 ? 3 : 2
  const start = ((round - 1) * count) % bank.length
  return Array.from({ length: count }, (_, index) => fill(bank[(start + index) % bank.length]!, research))
}

/** All questions about a dimension. */
export function wholeBank(dimension: Dimension, research: SpecifyResearch = {}): string[] {
  return questionBank[dimension].map((question) => fill(question, research))
}

/** Keeps what research adds to a question short. */
const longestFinding = 160

function fill(question: string, research: SpecifyResearch): string {
  return question.replaceAll(/\{(\w+)\}/g, (_, name: keyof SpecifyResearch) => {
    return oneLine(research[name] ?? '', longestFinding) || defaults[name]
  })
}
