/** Accumulates decisions, open questions and risks of earlier phases for a coordinator. SPEC.md § CX2. */

import { sameMatter } from '../plan/consistency.ts'
import type { IdentifiedRisk, KeyDecision, OpenQuestion, PhaseSummary } from '../plan/phase-summary.ts'
import { type PhaseId, phaseIds } from '../plan/phase-table.ts'
import { isPersons } from '../plan/plan-ids.ts'
import { oneLine } from '../text/one-line.ts'

export type CountTokens = (text: string) => number

/** The part of a phase summary that later phases get. */
export type ContextSource = Pick<PhaseSummary, 'phase' | 'key_decisions' | 'open_questions' | 'risks_identified'> &
  Partial<Pick<PhaseSummary, 'closed_questions'>>

type DecisionSource = Pick<PhaseSummary, 'phase' | 'key_decisions' | 'open_questions'> &
  Partial<Pick<PhaseSummary, 'closed_questions' | 'risks_identified'>>

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
  /** Ids of entries that always travel but had to be shortened. */
  shortened: string[]
}

export const accumulatedTokens = 2_000

/** How much of an entry that always travels is left when the budget is spent. */
const shortened = 200

interface Entry {
  kind: 'decision' | 'question' | 'risk'
  phase: PhaseId
  id: string
  line: string
  /** `person`: a person's own words, never cut. `always`: a settled decision or a grave risk. `rest`: may be dropped. */
  worth: 'person' | 'always' | 'rest'
}

/**
 * CX2: decisions, open questions and risks of earlier phases, by worth. A person's answers, HIGH decisions and MAJOR risks
 * always travel, even beyond the budget. Of the rest the oldest phase is dropped first; open questions stay longer than
 * decisions and risks, and the newest phase is dropped last.
 */
export function accumulate(
  sources: readonly ContextSource[],
  countTokens: CountTokens,
  budget: number = accumulatedTokens,
): AccumulatedContext {
  const ordered = [...sources].sort((a, b) => phaseIds.indexOf(a.phase) - phaseIds.indexOf(b.phase))
  const { standing, resolved, contradictions } = decisionsOf(ordered)
  const entries = [
    ...saidOnce(standing).map(decisionEntry),
    ...openQuestions(ordered, resolved),
    ...risks(ordered, resolved),
  ]
  const dropped: string[] = []
  const short: string[] = []
  const kept = new Set(entries)
  const fits = () => countTokens(render(kept)) <= budget
  for (const entry of inOrderOfLeaving(entries.filter(({ worth }) => worth === 'rest'))) {
    if (fits()) break
    kept.delete(entry)
    dropped.push(entry.id)
  }
  for (const entry of entries) {
    if (entry.worth !== 'always' || entry.line.length <= shortened) continue
    if (fits()) break
    entry.line = oneLine(entry.line, shortened)
    short.push(entry.id)
  }
  return { text: render(kept), contradictions, dropped, shortened: short }
}

/** Decisions in force after these phases, and the questions that they resolved. */
export function decisionsInForce(sources: readonly DecisionSource[]): Decided {
  return decisionsOf([...sources].sort((a, b) => phaseIds.indexOf(a.phase) - phaseIds.indexOf(b.phase)))
}

export interface Decided {
  standing: PhaseDecision[]
  /** Ids of questions and risks that a decision resolved, including decisions that were superseded since. */
  resolved: ReadonlySet<string>
  /** The decision that replaced another, by the other's id. */
  replaced: ReadonlyMap<string, string>
  contradictions: Contradiction[]
}

/**
 * Decisions still in force: superseded ones are removed, and a contradicted HIGH one stays. An agent can neither replace nor
 * contradict what the person said.
 */
function decisionsOf(sources: readonly DecisionSource[]): Decided {
  const standing = new Map<string, PhaseDecision>()
  const resolved = new Set<string>()
  const replaced = new Map<string, string>()
  const contradictions: Contradiction[] = []
  for (const { phase, key_decisions, closed_questions = [], risks_identified = [] } of sources) {
    // What is raised again counts again.
    for (const { id } of risks_identified) resolved.delete(id)
    for (const one of closed_questions)
      for (const id of [...(one.resolves ?? []), ...putToPerson(one, sources)]) resolved.add(id)
    for (const decision of key_decisions) {
      const opposed = opposedBy(decision, standing)
      const persons = isPersons(decision) ? undefined : personsAnswer(decision, standing)
      const firm = persons ?? opposed.find((earlier) => earlier.decision.confidence === 'HIGH')
      if (firm) {
        contradictions.push({ standing: firm, against: { phase, decision } })
        continue
      }
      for (const id of [...(decision.resolves ?? []), ...putToPerson(decision, sources)]) resolved.add(id)
      for (const id of [...(decision.supersedes ?? []), ...opposed.map((one) => one.decision.id)])
        if (standing.delete(id)) replaced.set(id, decision.id)
      if (!standing.has(decision.id)) standing.set(decision.id, { phase, decision })
    }
  }
  return { standing: [...standing.values()], resolved, replaced, contradictions }
}

/** The agents' questions on the matter that the person was asked about, no matter which agent asked. */
export function putToPerson(
  { question }: Pick<KeyDecision, 'question'>,
  sources: readonly Pick<PhaseSummary, 'open_questions'>[],
): string[] {
  if (question === undefined) return []
  const asked = sources.flatMap(({ open_questions }) => open_questions)
  return asked.filter((open) => sameMatter(open.question, question)).map(({ id }) => id)
}

function personsAnswer(
  { supersedes = [], contradicts = [] }: KeyDecision,
  standing: ReadonlyMap<string, PhaseDecision>,
): PhaseDecision | undefined {
  return [...supersedes, ...contradicts].flatMap((id) => (isPersons({ id }) ? (standing.get(id) ?? []) : []))[0]
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

function risks(sources: readonly ContextSource[], resolved: ReadonlySet<string>): Entry[] {
  const latest = new Map<string, Entry>()
  for (const { phase, risks_identified } of sources) {
    for (const risk of risks_identified) latest.set(risk.id, riskEntry(phase, risk))
  }
  return [...latest.values()].filter(({ id }) => !resolved.has(id))
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

/** Decisions in the same words, under the ids of all of them and the highest confidence. */
export function saidOnce(standing: readonly PhaseDecision[]): PhaseDecision[] {
  const byWords = new Map<string, PhaseDecision>()
  for (const { phase, decision } of standing) {
    const words = flatten(decision.decision).toLowerCase()
    const first = byWords.get(words)
    if (!first) byWords.set(words, { phase, decision })
    else {
      const firmer = decision.confidence === 'HIGH' ? decision : first.decision
      byWords.set(words, { ...first, decision: { ...firmer, id: `${first.decision.id}, ${decision.id}` } })
    }
  }
  return [...byWords.values()]
}

function decisionEntry({ phase, decision }: PhaseDecision): Entry {
  const link = decision.supersedes?.length ? `, supersedes ${decision.supersedes.map(flatten).join(', ')}` : ''
  const line = `- ${flatten(decision.id)} (phase ${phase}, ${decision.confidence}${link}): ${flatten(decision.decision)}`
  const worth = isPersons(decision) ? 'person' : decision.confidence === 'HIGH' ? 'always' : 'rest'
  return { kind: 'decision', phase, id: decision.id, line, worth }
}

function questionEntry(phase: PhaseId, question: OpenQuestion): Entry {
  const line = `- ${flatten(question.id)} (phase ${phase}, ${question.priority}): ${flatten(question.question)}`
  return { kind: 'question', phase, id: question.id, line, worth: 'rest' }
}

function riskEntry(phase: PhaseId, risk: IdentifiedRisk): Entry {
  const mitigation = risk.mitigation ? ` → ${flatten(risk.mitigation)}` : ''
  const line = `- ${flatten(risk.id)} (phase ${phase}, ${flatten(risk.severity)}): ${flatten(risk.risk)}${mitigation}`
  return { kind: 'risk', phase, id: risk.id, line, worth: isGrave(risk) ? 'always' : 'rest' }
}

const graveSeverities: ReadonlySet<string> = new Set(['CRITICAL', 'MAJOR', 'HIGH'])

/** Agents rate risks in the words of a review or of a level. */
export function isGrave({ severity }: Pick<IdentifiedRisk, 'severity'>): boolean {
  return graveSeverities.has(severity.trim().toUpperCase())
}

/** On one line, however long: an entry with line breaks could imitate a section heading of the prompt. */
export function flatten(text: string): string {
  return oneLine(text, Number.POSITIVE_INFINITY)
}
