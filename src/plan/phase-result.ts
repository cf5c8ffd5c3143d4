/** What a phase gives: the body of its artefact, what travels on, and what else it writes. */
import type { IdentifiedRisk, KeyDecision, OpenQuestion, PhaseSummary } from '../rules/phase-summary.ts'
import type { PhaseId } from '../rules/phase-table.ts'
import type { StrategyChoice } from '../rules/strategy.ts'
import type { Synthesis } from './replies.ts'

export interface PhaseResult {
  title: string
  /** Markdown. */
  body: string
  /** For those who come after, in a few sentences. */
  text: string
  decisions: KeyDecision[]
  questions: OpenQuestion[]
  risks: IdentifiedRisk[]
  /** The question that its decisions came from. */
  ask?: string
  more?: Partial<PhaseSummary>
  /** Further files, by name. */
  files?: Record<string, string>
}

/** Ids are ours where an agent gave none or one that is taken: `D4-1`, `Q4-1`, `R4-1`. */
export function fromSynthesis(
  id: PhaseId,
  synthesis: Synthesis,
  pass: number,
): Pick<PhaseResult, 'decisions' | 'questions' | 'risks'> {
  return {
    decisions: numbered(synthesis.key_decisions, `D${id}`, pass),
    questions: numbered(synthesis.open_questions, `Q${id}`, pass),
    risks: numbered(synthesis.risks_identified, `R${id}`, pass),
  }
}

function numbered<Item extends { id: string }>(items: readonly Item[], prefix: string, pass: number): Item[] {
  const taken = new Set<string>()
  return items.map((item, index) => {
    const own =
      item.id !== 'none' && !taken.has(item.id) ? item.id : `${prefix}${pass > 1 ? `.${pass}` : ''}-${index + 1}`
    taken.add(own)
    return { ...item, id: own }
  })
}

export function strategyFields(choice: StrategyChoice): Partial<PhaseSummary> {
  return { strategy: choice.strategy, ...(choice.override ? { strategy_override: choice.override } : {}) }
}

/** Decisions with their ids, so that people can point at them and a lost summary can be made again. */
export function decisionSection({
  decisions,
  questions,
  risks,
}: Pick<PhaseResult, 'decisions' | 'questions' | 'risks'>): string {
  const parts = [
    list(
      'Decisions',
      decisions.map(
        ({ id, decision, confidence, rationale }) =>
          `**${id}** (${confidence}): ${decision}${rationale ? ` — ${rationale}` : ''}`,
      ),
    ),
    list(
      'Open questions',
      questions.map(({ id, question, priority }) => `**${id}** (${priority}): ${question}`),
    ),
    list(
      'Risks',
      risks.map(
        ({ id, risk, severity, mitigation }) =>
          `**${id}** (${severity}): ${risk}${mitigation ? ` → ${mitigation}` : ''}`,
      ),
    ),
  ]
  return parts.filter(Boolean).join('\n\n')
}

function list(title: string, items: string[]): string {
  return items.length === 0
    ? ''
    : `## ${title}\n\n${items.map((item) => `- ${item.replace(/\s*\n\s*/g, ' ')}`).join('\n')}`
}
