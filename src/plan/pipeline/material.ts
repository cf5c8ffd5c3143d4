/** What a phase reads besides the request, the facts and the accumulated context. Says nothing that those say. CX2. */
import type { AccumulatedContext } from '../../rules/context/context.ts'
import { amendmentTitle } from '../../rules/plan/amendment.ts'
import { type PhaseId, phaseById, phaseIds } from '../../rules/plan/phase-table.ts'
import { cutAtBoundary } from '../../rules/text/cut-at-boundary.ts'
import { withoutSections } from '../../rules/text/markdown-sections.ts'
import { earlierFile, readArtefact, splitFrontMatter } from '../artefacts.ts'
import type { Plan } from '../plan.ts'
import type { PhaseSettings } from '../plan-settings.ts'

const longest = 24_000

export interface Material {
  title: string
  text: string
}

export function materialOf(
  plan: Plan,
  { id, pass }: { id: PhaseId; pass: number },
  settings: PhaseSettings,
  context: AccumulatedContext,
): Material[] {
  const { reads, artefact } = phaseById(id)
  const told = [...toldElsewhere, ...toldByContext(plan, settings, context)]
  const earlier = pass > 1 ? readArtefact(plan.folder, earlierFile(artefact, pass - 1)) : null
  // A phase whose artefact is read whole needs no summary, unless a person edited it.
  const summarised = reads.summaries.filter(
    (phase) => !reads.artefacts.includes(phaseById(phase).artefact) || !plan.written.has(phase),
  )
  return [
    ...(plan.input.heard ?? []).map(({ agent, text }) => ({ title: `What ${agent} said in the room`, text })),
    ...reads.artefacts.map((file) => ({ title: file, text: bodyOf(readArtefact(plan.folder, file), told) })),
    ...summarised.map((phase) => ({
      title: `What phase ${phase} (${phaseById(phase).name}) found`,
      text: plan.summaries.get(phase)?.text ?? '',
    })),
    { title: `${artefact}, as it was sent back`, text: bodyOf(earlier, toldElsewhere) },
  ]
    .filter(({ text }) => text.trim() !== '')
    .map(({ title, text }) => ({ title, text: cutAtBoundary(text, longest) }))
}

/** Sections that repeat the request, the facts or the room's talk, or only describe how the plan was made. */
const toldElsewhere = [
  'Request',
  'Said in the room',
  'How it is planned',
  'Facts',
  'Agreement',
  'Questions answered since',
  'Decisions replaced since',
  // The changed sections say it, and the review says what was settled.
  ...phaseIds.map(amendmentTitle),
]

/** The accumulated context holds these, unless it is off or was cut. */
function toldByContext(plan: Plan, { context: { fields } }: PhaseSettings, { dropped }: AccumulatedContext): string[] {
  if (dropped.length > 0) return []
  const answered = plan.clarifications.every(({ assumed }) => !assumed)
  return [
    ...(fields.includes('key_decisions') ? ['Decisions', ...(answered ? ['Clarified'] : [])] : []),
    ...(fields.includes('open_questions') ? ['Open questions'] : []),
    ...(fields.includes('risks_identified') ? ['Risks', 'Carried as risks', 'Not settled, carried as risks'] : []),
  ]
}

function bodyOf(file: string | null, told: readonly string[]): string {
  if (file === null) return ''
  const { text } = splitFrontMatter(file)
  return withoutSections(text, told)
    .replace(/^# .*(?:\n+|$)/, '')
    .replace(/ <sub>turn [^<]*<\/sub>/g, '')
    .replace(/\n*^_\d+ of \d+ answered.*_$/gm, '')
    .trim()
}
