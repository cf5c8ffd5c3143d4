/** Keeps the questions in the documents of finished phases true: answered ones say by what. PH6. */
import { type QuestionState, questionStates } from '../../rules/context/plan-digest.ts'
import { phaseById } from '../../rules/plan/phase-table.ts'
import { withSection } from '../../rules/text/markdown-sections.ts'
import { readArtefact, rewriteArtefact, type Summary } from '../artefacts.ts'
import type { Plan } from '../plan.ts'
import { flat } from '../team/phase-result.ts'

/** Rewrites the documents whose questions have another state than they say; returns their texts by file. Idempotent. */
export function renewQuestions(
  { folder }: Pick<Plan, 'folder'>,
  summaries: readonly Summary[],
): Record<string, string> {
  const changed: Record<string, string> = {}
  for (const summary of summaries) {
    const states = questionStates(summary.open_questions, summaries)
    const file = phaseById(summary.phase).artefact
    const before = states.length > 0 ? readArtefact(folder, file) : null
    if (before === null) continue
    const isOpen = ({ answeredBy }: QuestionState) => answeredBy === undefined
    const { text: _text, ...facts } = summary
    const open_questions = states.filter(isOpen).map(({ question }) => question)
    const page = rewriteArtefact(folder, file, { ...facts, open_questions }, (text) => withStates(text, states))
    if (page !== null && page !== before) changed[file] = page
  }
  return changed
}

const answered = 'Questions answered since'
const behind = ['Risks', 'Could not be placed']

export function withStates(text: string, states: readonly QuestionState[]): string {
  const ids = new Set(states.map(({ question }) => question.id))
  const idOf = (line: string) => /^- \*\*([^*]+)\*\*/.exec(line)?.[1]
  const lines = text.split('\n').filter((line) => !ids.has(idOf(line) ?? ''))
  const isEmpty = (index: number) => !/^- /.test(lines.slice(index + 1).find((line) => line.trim() !== '') ?? '')
  const bare = lines
    .filter((line, index) => !((line === '## Open questions' || line === `## ${answered}`) && isEmpty(index)))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
  const listed = (items: string[], heading: string, page: string) =>
    items.length === 0 ? page : withSection(page, { heading, text: items.join('\n') }, behind)
  const open = states.flatMap(({ question: { id, priority, question }, answeredBy }) =>
    answeredBy ? [] : [`- **${id}** (${priority}): ${question.replace(/\s*\n\s*/g, ' ')}`],
  )
  const done = states.flatMap(({ question: { id, question }, answeredBy }) =>
    answeredBy
      ? [`- **${id}**: ${flat(question)} → **${answeredBy.decision.id}**: ${flat(answeredBy.decision.decision)}`]
      : [],
  )
  return listed(done, answered, listed(open, 'Open questions', bare))
}
