/** The result of a phase: its artefact, what later phases get, and further files. */
import type { IdentifiedRisk, KeyDecision, OpenQuestion, PhaseSummary } from '../../rules/plan/phase-summary.ts'
import { latestAnswers, type Phase } from '../plan.ts'
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

type Found = Pick<PhaseResult, 'decisions' | 'questions' | 'risks'>

/** Assigns an id where the agent gave none or a duplicate: `D4-1`, `Q4-1`, `R4-1`. A decision links to its ask. */
export function fromSynthesis({ id, pass }: Phase, synthesis: Synthesis, ask: string | undefined): Found {
  return {
    decisions: numbered(synthesis.key_decisions, `D${id}`, pass).map(({ ask: _theirs, ...decision }) => {
      return ask === undefined ? decision : { ...decision, ask }
    }),
    questions: numbered(synthesis.open_questions, `Q${id}`, pass),
    risks: numbered(synthesis.risks_identified, `R${id}`, pass),
  }
}

function numbered<Item extends { id: string }>(items: readonly Item[], prefix: string, pass: number): Item[] {
  const taken = new Set<string>()
  return items.map((item, index) => {
    const isOwn = item.id !== 'none' && !taken.has(item.id)
    const id = isOwn ? item.id : freshId(`${prefix}${pass > 1 ? `.${pass}` : ''}`, index + 1, taken)
    taken.add(id)
    return { ...item, id }
  })
}

function freshId(prefix: string, from: number, taken: ReadonlySet<string>): string {
  let number = from
  while (taken.has(`${prefix}-${number}`)) number++
  return `${prefix}-${number}`
}

/** A person's answers in this phase, as settled decisions. */
export function personsDecisions({ plan, id, pass }: Phase): KeyDecision[] {
  const said = latestAnswers(plan.clarifications).filter(({ phase, assumed }) => phase === id && !assumed)
  const prefix = `P${id}${pass > 1 ? `.${pass}` : ''}`
  return said.map(({ question, answer, asked, fromFile }, index) => ({
    id: `${prefix}-${index + 1}`,
    decision: `${flat(question)} →${answer.includes('\n') ? '\n' : ' '}${answer}`,
    rationale: fromFile ? 'from the answers file' : 'answered by the person',
    confidence: 'HIGH',
    ...(asked === undefined ? {} : { ask: asked }),
  }))
}

/** Decisions, questions and risks with their ids, for the artefact. */
export function decisionSection({ decisions, questions, risks }: Found): string {
  const parts = [
    listSection(
      'Decisions',
      decisions.map(({ id, decision, confidence, rationale, ask, supersedes }) => {
        const instead = supersedes?.length ? `, instead of ${supersedes.join(', ')}` : ''
        return `**${id}** (${confidence}${instead}): ${decision}${rationale ? ` — ${rationale}` : ''}${ask ? ` <sub>turn ${ask}</sub>` : ''}`
      }),
    ),
    listSection(
      'Open questions',
      questions.map(({ id, question, priority }) => `**${id}** (${priority}): ${question}`),
    ),
    listSection(
      'Risks',
      risks.map(
        ({ id, risk, severity, mitigation }) =>
          `**${id}** (${severity}): ${risk}${mitigation ? ` → ${mitigation}` : ''}`,
      ),
    ),
  ]
  return parts.filter(Boolean).join('\n\n')
}

export function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 400)
}
