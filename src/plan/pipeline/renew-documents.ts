/** Keeps the documents of finished phases true: answered questions and replaced decisions say by what. PH6, CX2. */
import { decisionsInForce } from '../../rules/context/context.ts'
import { type QuestionState, questionStates, settledRisks } from '../../rules/context/plan-digest.ts'
import type { KeyDecision } from '../../rules/plan/phase-summary.ts'
import { type PhaseId, phaseById } from '../../rules/plan/phase-table.ts'
import { withSection } from '../../rules/text/markdown-sections.ts'
import {
  readArtefact,
  readSummary,
  renderSummary,
  rewriteArtefact,
  type Summary,
  summaryFile,
  writeArtefact,
} from '../artefacts.ts'
import type { Plan } from '../plan.ts'
import { decisionLine, flat } from '../team/phase-result.ts'
import { bullets } from '../wording.ts'

/**
 * Rewrites the documents whose questions or decisions have another state than they say; returns their texts by file. The
 * summaries of their phases list what was replaced apart. Idempotent.
 */
export function renewDocuments(
  { folder, written }: Pick<Plan, 'folder' | 'written'>,
  summaries: readonly Summary[],
): Record<string, string> {
  const changed: Record<string, string> = {}
  const decided = decisionStates(summaries)
  for (const summary of summaries) {
    strikeInSummary({ folder, written }, summary.phase, decided)
    const questions = questionStates(summary.open_questions, summaries)
    const decisions = summary.key_decisions.map(({ id }) => decided.get(id)!)
    const settled = settledRisks(summary.risks_identified, summaries)
    const { text: _text, ...facts } = summary
    const renewed = {
      ...facts,
      ...withoutReplaced(facts.key_decisions, decided),
      open_questions: questions.flatMap(({ question, answeredBy, left }) => (answeredBy || left ? [] : [question])),
    }
    for (const file of filesOf(summary.phase, summaries)) {
      const before = questions.length + decisions.length + settled.size > 0 ? readArtefact(folder, file) : null
      if (before === null) continue
      const page = rewriteArtefact(folder, file, renewed, (text) =>
        withUnknowns(withSettledRisks(withStates(withDecisionStates(text, decisions), questions), settled), questions),
      )
      if (page !== null && page !== before) changed[file] = page
    }
  }
  return changed
}

/** A decision, and the one that replaces it, if one does. */
export interface DecisionState {
  decision: KeyDecision
  /** As its document lists it. */
  line: string
  replacedBy?: KeyDecision
}

function decisionStates(summaries: readonly Summary[]): Map<string, DecisionState> {
  const all = new Map(summaries.flatMap(({ key_decisions }) => key_decisions.map((one) => [one.id, one] as const)))
  const words = new Map([...all].map(([id, { decision }]) => [id, decision] as const))
  const { replaced } = decisionsInForce(summaries)
  return new Map(
    [...all].map(([id, decision]) => {
      const replacedBy = all.get(replaced.get(id) ?? '')
      return [id, { decision, line: decisionLine(decision, words), ...(replacedBy ? { replacedBy } : {}) }]
    }),
  )
}

/** The decisions that hold, and the others apart: they come back if their successor is withdrawn. */
function withoutReplaced(
  decisions: readonly KeyDecision[],
  states: ReadonlyMap<string, DecisionState>,
): Pick<Summary, 'key_decisions' | 'replaced_decisions'> {
  const replaced = decisions.flatMap((one) => {
    const by = states.get(one.id)?.replacedBy?.id
    return by === undefined ? [] : [{ ...one, by }]
  })
  const isHeld = ({ id }: KeyDecision) => !replaced.some((one) => one.id === id)
  return { key_decisions: decisions.filter(isHeld), ...(replaced.length > 0 ? { replaced_decisions: replaced } : {}) }
}

/** Works on the file, which a person may have edited. */
function strikeInSummary(
  { folder, written }: Pick<Plan, 'folder' | 'written'>,
  id: PhaseId,
  states: ReadonlyMap<string, DecisionState>,
): void {
  const file = summaryFile(id)
  const before = readArtefact(folder, file)
  const found = before === null ? null : readSummary(folder, id)
  if (found?.kind !== 'read') return
  const { summary } = found
  const struck = withoutReplaced(summary.key_decisions, states)
  const after = renderSummary({ ...summary, ...struck })
  const isUntouched = !struck.replaced_decisions && !before!.includes('\nreplaced_decisions:')
  if (isUntouched || after === before) return
  writeArtefact(folder, file, after)
  if (written.get(id) === before) written.set(id, after)
}

/** Until phase 9 writes what a lead signs, `plan.md` is the design in short and lists the same decisions. */
function filesOf(id: PhaseId, summaries: readonly Summary[]): string[] {
  const isFinal = summaries.some(({ phase }) => phase === '9')
  return [phaseById(id).artefact, ...(id === '4' && !isFinal ? ['plan.md'] : [])]
}

const answered = 'Questions answered since'
const replacedSince = 'Decisions replaced since'
const behind = ['Risks', 'Could not be placed']

export function withStates(text: string, states: readonly QuestionState[]): string {
  const ids = new Set(states.map(({ question }) => question.id))
  const bare = withoutItems(text, ids, ['Open questions', answered])
  const open = states.flatMap(({ question: { id, priority, question }, answeredBy, left }) =>
    answeredBy || left ? [] : [`- **${id}** (${priority}): ${question.replace(/\s*\n\s*/g, ' ')}`],
  )
  const done = states.flatMap(({ question: { id, question }, answeredBy, left }) => {
    if (left) return [`- **${id}**: ${flat(question)} → left to the team`]
    return answeredBy
      ? [`- **${id}**: ${flat(question)} → **${answeredBy.decision.id}**: ${flat(answeredBy.decision.decision)}`]
      : []
  })
  return listed(done, answered, listed(open, 'Open questions', bare))
}

/** The agents' own list of what is unknown keeps their words and says which questions are answered by now. */
export function withUnknowns(text: string, states: readonly QuestionState[]): string {
  const done = states.flatMap(({ question: { id }, answeredBy, left }) => {
    if (left) return [`${id} (left to the team)`]
    return answeredBy ? [`${id} (${answeredBy.decision.id})`] : []
  })
  const bare = text.replace(/\n\n_Answered since: .*_$/m, '')
  if (done.length === 0) return bare
  return bare.replace(/^## Unknown\n(?:(?!## ).*\n?)*/m, (section) => {
    return section.replace(/\n*$/, (end) => `\n\n_Answered since: ${done.join(', ')}._${end}`)
  })
}

/** A risk that a decision removes says so behind its words. */
export function withSettledRisks(text: string, settled: ReadonlyMap<string, { decision: KeyDecision }>): string {
  const bare = text.replace(/^(- \*\*R.*) _Settled by [\w.-]+\._$/gm, '$1')
  return [...settled].reduce((page, [id, { decision }]) => {
    const line = new RegExp(`^- \\*\\*${id.replaceAll('.', '\\.')}\\*\\* \\(.*$`, 'm')
    return page.replace(line, (found) => `${found} _Settled by ${decision.id}._`)
  }, bare)
}

/** Only what holds is listed as decided. What was replaced names its successor; its own words are in the log. */
export function withDecisionStates(text: string, states: readonly DecisionState[]): string {
  const isReplaced = ({ replacedBy }: DecisionState) => replacedBy !== undefined
  if (!states.some(isReplaced) && !text.includes(`\n## ${replacedSince}\n`)) return text
  // A person's answers are no items of the list.
  const own = states.filter(({ decision }) => text.includes(`\n- **${decision.id}**`))
  const bare = withoutItems(text, new Set(own.map(({ decision }) => decision.id)), ['Decisions', replacedSince])
  const held = own.filter((one) => !isReplaced(one)).map(({ line }) => bullets([line]))
  const gone = own.flatMap(({ decision, replacedBy }) =>
    replacedBy ? [`- **${decision.id}** → **${replacedBy.id}**: ${flat(replacedBy.decision)}`] : [],
  )
  const before = ['Open questions', answered, ...behind]
  return listed(gone, replacedSince, listed(held, 'Decisions', bare, [replacedSince, ...before]), before)
}

/** Without the list items with these ids, and without the sections that are empty then. */
function withoutItems(text: string, ids: ReadonlySet<string>, titles: readonly string[]): string {
  const idOf = (line: string) => /^- \*\*([^*]+)\*\*/.exec(line)?.[1]
  const lines = text.split('\n').filter((line) => !ids.has(idOf(line) ?? ''))
  const isEmpty = (index: number) => !/^- /.test(lines.slice(index + 1).find((line) => line.trim() !== '') ?? '')
  return lines
    .filter((line, index) => !(titles.some((title) => line === `## ${title}`) && isEmpty(index)))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}

function listed(items: readonly string[], heading: string, page: string, before: readonly string[] = behind): string {
  return items.length === 0 ? page : withSection(page, { heading, text: items.join('\n') }, before)
}
