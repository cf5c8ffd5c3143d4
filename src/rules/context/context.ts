/** Accumulates decisions, open questions and risks of earlier phases for a coordinator. SPEC.md § CX2. */

import type { IdentifiedRisk, KeyDecision, OpenQuestion, PhaseSummary } from '../plan/phase-summary.ts'
import { type PhaseId, phaseIds } from '../plan/phase-table.ts'
import { oneLine } from '../text/one-line.ts'

export type CountTokens = (text: string) => number

/** The part of a phase summary that later phases get. */
export type ContextSource = Pick<PhaseSummary, 'phase' | 'key_decisions' | 'open_questions' | 'risks_identified'>

export interface PhaseDecision {
  phase: PhaseId
  decision: KeyDecision
}

export interface Contradiction {
  /** The HIGH decision, which stays. */
  standing: PhaseDecision
  /** The later decision that contradicts it without a link, which is left out. */
  against: PhaseDecision
}

export interface AccumulatedContext {
  text: string
  contradictions: Contradiction[]
  /** Ids of entries dropped for the budget, in order. */
  dropped: string[]
}

export const accumulatedTokens = 500

interface Entry {
  kind: 'decision' | 'question' | 'risk'
  phase: PhaseId
  id: string
  line: string
}

/**
 * CX2: decisions, open questions and risks of earlier phases, within a budget. Drops the oldest phase first; open
 * questions stay longer than decisions and risks, and the newest phase is dropped last.
 */
export function accumulate(
  sources: readonly ContextSource[],
  countTokens: CountTokens,
  budget: number = accumulatedTokens,
): AccumulatedContext {
  const ordered = [...sources].sort((a, b) => phaseIds.indexOf(a.phase) - phaseIds.indexOf(b.phase))
  const { standing, resolved, contradictions } = decisionsOf(ordered)
  const entries = [...standing.map(decisionEntry), ...openQuestions(ordered, resolved), ...risks(ordered)]
  const dropped: string[] = []
  const kept = new Set(entries)
  for (const entry of inOrderOfLeaving(entries)) {
    if (countTokens(render(kept)) <= budget) break
    kept.delete(entry)
    dropped.push(entry.id)
  }
  const text = render(kept)
  return { text: countTokens(text) <= budget ? text : '', contradictions, dropped }
}

interface Decided {
  standing: PhaseDecision[]
  /** Ids of questions that a decision resolved, including decisions that were superseded since. */
  resolved: ReadonlySet<string>
  contradictions: Contradiction[]
}

/** Decisions still in force: superseded ones are removed, and a contradicted HIGH one stays. */
function decisionsOf(sources: readonly ContextSource[]): Decided {
  const standing = new Map<string, PhaseDecision>()
  const resolved = new Set<string>()
  const contradictions: Contradiction[] = []
  for (const { phase, key_decisions } of sources) {
    for (const decision of key_decisions) {
      const opposed = opposedBy(decision, standing)
      const firm = opposed.find((earlier) => earlier.decision.confidence === 'HIGH')
      if (firm) {
        contradictions.push({ standing: firm, against: { phase, decision } })
        continue
      }
      for (const id of decision.resolves ?? []) resolved.add(id)
      for (const id of decision.supersedes ?? []) standing.delete(id)
      for (const earlier of opposed) standing.delete(earlier.decision.id)
      if (!standing.has(decision.id)) standing.set(decision.id, { phase, decision })
    }
  }
  return { standing: [...standing.values()], resolved, contradictions }
}

/** Decisions it contradicts without superseding: those it names, and one with its own id but different words. */
function opposedBy(decision: KeyDecision, standing: ReadonlyMap<string, PhaseDecision>): PhaseDecision[] {
  const namesake = standing.get(decision.id)
  const disguised = namesake && flatten(namesake.decision.decision) !== flatten(decision.decision)
  return [...(decision.contradicts ?? []), ...(disguised ? [decision.id] : [])]
    .filter((id) => !decision.supersedes?.includes(id))
    .flatMap((id) => standing.get(id) ?? [])
}

/** Questions that no decision has resolved. A repeated question keeps its first phase and takes the later wording. */
function openQuestions(sources: readonly ContextSource[], resolved: ReadonlySet<string>): Entry[] {
  const open = new Map<string, Entry>()
  for (const { phase, open_questions } of sources) {
    for (const question of open_questions) {
      if (resolved.has(question.id)) continue
      open.set(question.id, questionEntry(open.get(question.id)?.phase ?? phase, question))
    }
  }
  return [...open.values()]
}

function risks(sources: readonly ContextSource[]): Entry[] {
  const latest = new Map<string, Entry>()
  for (const { phase, risks_identified } of sources) {
    for (const risk of risks_identified) latest.set(risk.id, riskEntry(phase, risk))
  }
  return [...latest.values()]
}

function inOrderOfLeaving(entries: readonly Entry[]): Entry[] {
  const newest = entries.reduce((latest, entry) => Math.max(latest, phaseIds.indexOf(entry.phase)), -1)
  const rank = (entry: Entry) => {
    if (phaseIds.indexOf(entry.phase) === newest) return 2
    return entry.kind === 'question' ? 1 : 0
  }
  return [...entries].sort(
    (a, b) =>
      rank(a) - rank(b) || phaseIds.indexOf(a.phase) - phaseIds.indexOf(b.phase) || lastResort(a) - lastResort(b),
  )
}

/** Within the newest phase, risks are dropped first, then questions, then decisions. */
function lastResort(entry: Entry): number {
  return ['risk', 'question', 'decision'].indexOf(entry.kind)
}

function render(kept: ReadonlySet<Entry>): string {
  const part = (kind: Entry['kind'], title: string) => {
    const lines = [...kept].filter((entry) => entry.kind === kind).map((entry) => entry.line)
    return lines.length > 0 ? [`### ${title}\n${lines.join('\n')}`] : []
  }
  return [...part('decision', 'Decided'), ...part('question', 'Still open'), ...part('risk', 'Risks')].join('\n\n')
}

function decisionEntry({ phase, decision }: PhaseDecision): Entry {
  const link = decision.supersedes?.length ? `, supersedes ${decision.supersedes.map(flatten).join(', ')}` : ''
  const line = `- ${flatten(decision.id)} (phase ${phase}, ${decision.confidence}${link}): ${flatten(decision.decision)}`
  return { kind: 'decision', phase, id: decision.id, line }
}

function questionEntry(phase: PhaseId, question: OpenQuestion): Entry {
  const line = `- ${flatten(question.id)} (phase ${phase}, ${question.priority}): ${flatten(question.question)}`
  return { kind: 'question', phase, id: question.id, line }
}

function riskEntry(phase: PhaseId, risk: IdentifiedRisk): Entry {
  const mitigation = risk.mitigation ? ` → ${flatten(risk.mitigation)}` : ''
  const line = `- ${flatten(risk.id)} (phase ${phase}, ${flatten(risk.severity)}): ${flatten(risk.risk)}${mitigation}`
  return { kind: 'risk', phase, id: risk.id, line }
}

/** On one line, however long: an entry with line breaks could imitate a section heading of the prompt. */
export function flatten(text: string): string {
  return oneLine(text, Number.POSITIVE_INFINITY)
}
