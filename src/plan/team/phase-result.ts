/** The result of a phase: its artefact, what later phases get, and further files. */

import { putToPerson } from '../../rules/context/context.ts'
import type {
  ClosedQuestion,
  IdentifiedRisk,
  KeyDecision,
  OpenQuestion,
  PhaseSummary,
} from '../../rules/plan/phase-summary.ts'
import { type ItemPlace, numberItems } from '../../rules/plan/plan-ids.ts'
import { personsSentence } from '../../rules/plan/words/persons-decision.ts'
import { addFlags, type Clarification, isLeft, latestAnswers, type Phase } from '../plan.ts'
import type { Synthesis } from '../replies.ts'
import { listSection } from '../wording.ts'

export interface PhaseResult {
  title: string
  /** Markdown. */
  body: string
  /** A few sentences for later phases. */
  text: string
  decisions: KeyDecision[]
  questions: OpenQuestion[]
  risks: IdentifiedRisk[]
  more?: Partial<PhaseSummary>
  /** Further documents by file name, with the same front matter. */
  also?: Record<string, { title: string; body: string }>
  /** Further files by name, without front matter. */
  files?: Record<string, string>
}

export interface Found extends Pick<PhaseResult, 'decisions' | 'questions' | 'risks'> {
  /** The words of earlier decisions that these replace, by id. */
  replaced?: ReadonlyMap<string, string>
  /** What a reply listed that cannot be placed: unreadable items and references that name nothing. */
  unplaced?: readonly string[]
}

/** CX2: numbers what a reply decided, asked and found. A decision links to its ask. `own`: what the phase has found before. */
export function fromSynthesis(
  phase: Phase,
  synthesis: Pick<Synthesis, 'key_decisions' | 'open_questions' | 'risks_identified' | 'unread'>,
  ask: string | undefined,
  after: ItemPlace['after'] = {},
  own?: Found,
): Found {
  const given = {
    decisions: synthesis.key_decisions.map(({ ask: _theirs, ...one }) => (ask === undefined ? one : { ...one, ask })),
    questions: synthesis.open_questions,
    risks: synthesis.risks_identified,
  }
  const others = [...phase.plan.summaries.values()].filter(({ phase: id }) => id !== phase.id)
  const before = own && { key_decisions: own.decisions, open_questions: own.questions, risks_identified: own.risks }
  const earlier = before ? [...others, before] : others
  const { unknown, ...numbered } = numberItems({ phase: phase.id, pass: phase.pass, after }, given, earlier)
  if (unknown.length > 0) addFlags(phase, 'unknown_reference')
  if (synthesis.unread.length > 0) addFlags(phase, 'unread_items')
  const replaced = new Map(
    [...earlier.flatMap(({ key_decisions }) => key_decisions), ...numbered.decisions].map(({ id, decision }) => [
      id,
      decision,
    ]),
  )
  return { ...numbered, replaced, unplaced: [...unknown, ...synthesis.unread] }
}

/** A person's answers in this phase, by the ids of the decisions that they become. */
export function personsAnswers({ plan, id, pass }: Phase): Map<string, Clarification> {
  const said = latestAnswers(plan.clarifications).filter(({ phase, assumed }) => phase === id && !assumed)
  const prefix = `P${id}${pass > 1 ? `.${pass}` : ''}`
  return new Map(said.map((one, index) => [`${prefix}-${index + 1}`, one]))
}

/** A person's answers in this phase, as settled decisions. */
export function personsDecisions(phase: Phase): KeyDecision[] {
  const decided = [...personsAnswers(phase)].filter(([, one]) => !isLeft(one))
  return decided.map(([id, one]) => ({
    id,
    decision: personsSentence(one),
    rationale: one.fromFile ? 'decided by the answers file' : 'decided by the person',
    confidence: 'HIGH',
    ...closedBy(phase, one),
    answer: one.answer,
    ...(one.supersedes === undefined ? {} : { supersedes: one.supersedes }),
    ...(one.asked === undefined ? {} : { ask: one.asked }),
  }))
}

/** What a person answered in this phase, as questions that are closed. */
export function questionsAnswered(phase: Phase): ClosedQuestion[] {
  return [...personsAnswers(phase).values()].map((one) => closedBy(phase, one))
}

/** Of these, what settles nothing: left to the team. */
export function questionsLeft(phase: Phase): ClosedQuestion[] {
  return [...personsAnswers(phase).values()].filter(isLeft).map((one) => closedBy(phase, one))
}

/** An answer closes the questions that it was asked for, and the others of the agents on its matter. */
function closedBy(
  { plan }: Phase,
  { question: text, about = text, answer, resolves = [] }: Clarification,
): ClosedQuestion {
  const question = flat(about)
  const closed = [...new Set([...resolves, ...putToPerson({ question }, [...plan.summaries.values()])])]
  return { question, answer: flat(answer), ...(closed.length > 0 ? { resolves: closed } : {}) }
}

/** Decisions, questions and risks with their ids, for the artefact. A decision that replaces another names both. */
export function decisionSection({ decisions, questions, risks, replaced, unplaced = [] }: Found): string {
  const parts = [
    listSection(
      'Decisions',
      decisions.map((one) => decisionLine(one, replaced)),
    ),
    listSection(
      'Open questions',
      questions.map(({ id, question, priority }) => `**${id}** (${priority}): ${question}`),
    ),
    listSection('Risks', risks.map(riskWords)),
    listSection('Could not be placed', unplaced),
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** `words`: of the decisions that it may replace, by id. */
export function decisionLine(
  { id, decision, confidence, rationale, ask, supersedes = [] }: KeyDecision,
  words: ReadonlyMap<string, string> = new Map(),
): string {
  const names = supersedes.map((one) => (words.has(one) ? `${one} “${flat(words.get(one)!)}”` : one))
  const instead = names.length > 0 ? `, instead of ${names.join(', ')}` : ''
  return `**${id}** (${confidence}${instead}): ${decision}${rationale ? ` — ${rationale}` : ''}${ask ? ` <sub>turn ${ask}</sub>` : ''}`
}

export function riskWords({ id, risk, severity, mitigation }: IdentifiedRisk): string {
  return `**${id}** (${severity}): ${risk}${mitigation ? ` → ${mitigation}` : ''}`
}

export function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 400)
}
