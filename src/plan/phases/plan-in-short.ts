/** The last state of `plan.md`: the design in short, and every decision, answer, major risk and open question. PH6. */
import type { PlanDigest } from '../../rules/context/plan-digest.ts'
import { withoutSections } from '../../rules/text/markdown-sections.ts'
import { splitFrontMatter } from '../artefacts.ts'
import { flat } from '../team/phase-result.ts'
import { counted, listSection } from '../wording.ts'

const sections = [
  'Decisions',
  'Decided by you',
  'Open questions',
  'Questions answered since',
  'Risks',
  'Could not be placed',
]

export function planInShort(page: string, digest: PlanDigest): string {
  const { front, text } = splitFrontMatter(page)
  const body = [withoutSections(text, sections), ...digestSections(digest)].filter(Boolean).join('\n\n')
  return `${front === null ? '' : `---\n${front}\n---\n\n`}${body}\n`
}

function digestSections({ decisions, answers, risks, minorRisks, open }: PlanDigest): string[] {
  return [
    listSection(
      'Decided by you',
      answers.map(({ phase, decision: { id, decision, question, answer } }) => {
        const asked =
          question && !decision.includes(question) ? ` (asked: ${flat(question)} You said: ${flat(answer ?? '')})` : ''
        return `**${id}** (phase ${phase}): ${flat(decision)}${asked}`
      }),
    ),
    listSection(
      'Decisions',
      decisions.map(({ phase, decision: { id, decision, confidence, rationale } }) => {
        return `**${id}** (phase ${phase}, ${confidence}): ${flat(decision)}${rationale ? ` — ${flat(rationale)}` : ''}`
      }),
    ),
    listSection('Risks', [
      ...risks.map(({ phase, risk: { id, risk, severity, mitigation } }) => {
        return `**${id}** (phase ${phase}, ${severity}): ${flat(risk)}${mitigation ? ` → ${flat(mitigation)}` : ''}`
      }),
      ...(minorRisks > 0 ? [`${counted(minorRisks, 'minor risk')} in [tasks.md](tasks.md)`] : []),
    ]),
    listSection('Open questions', openQuestionLines(open)),
  ]
}

export function openQuestionLines(open: PlanDigest['open']): string[] {
  return open.map(({ phase, question: { id, question, priority } }) => {
    return `**${id}** (phase ${phase}, ${priority}): ${flat(question)}`
  })
}
