/** One amend pass of the architect: settles points of a review or a check, and rewrites the documents. RV4. */
import {
  type AmendmentOutcome,
  amendmentFaults,
  amendmentTitle,
  changedRisks,
  countAmendment,
  type DocumentChange,
  numberPoints,
  ownSections,
  type Point,
} from '../../rules/plan/amendment.ts'
import type { IdentifiedRisk, KeyDecision } from '../../rules/plan/phase-summary.ts'
import { type PhaseId, phaseById, phases } from '../../rules/plan/phase-table.ts'
import type { ItemPlace } from '../../rules/plan/plan-ids.ts'
import { architectOf } from '../../rules/plan/preset.ts'
import { withSection } from '../../rules/text/markdown-sections.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { renderSummary, rewriteArtefact, type Summary, summaryFile, writeArtefact } from '../artefacts.ts'
import { artefactWritten, planAmended } from '../events.ts'
import { addFlags, eventHeader, type Phase, type Plan } from '../plan.ts'
import { amendmentSchema, readDecided } from '../replies.ts'
import { listSection } from '../wording.ts'
import { askMember } from './ask-member.ts'
import { agentOf } from './ask-members.ts'
import { type Found, flat, fromSynthesis, riskWords } from './phase-result.ts'

export interface AmendRequest {
  points: readonly Omit<Point, 'id'>[]
  /** The documents that may change. */
  files: readonly string[]
  /** Who raised the points: "The review". */
  source: string
  /** How many decisions and risks the phase has numbered before. */
  after?: ItemPlace['after']
}

export interface Amended extends Found {
  outcome: AmendmentOutcome
  /** Markdown. */
  section: string
}

/** Points that stay open are among the returned risks. */
export async function amend(
  phase: Phase,
  { points: raised, files, source, after = {} }: AmendRequest,
): Promise<Amended> {
  const points = numberPoints(raised)
  const role = architectOf(phase.settings.team)
  const schema = amendmentSchema.superRefine((reply, context) => {
    const faults = amendmentFaults(reply, points, files)
    if (faults.length > 0) context.addIssue({ code: 'custom', message: faults.join('; ') })
  })
  const answer = await askMember(phase, {
    kind: 'phase',
    agent: agentOf(phase, role),
    role,
    round: 9,
    task: `${source} raised these points:\n${points.map(listed).join('\n')}\n\nSettle each by the smallest change to ${files.join(' and ')} that does it. Give only the sections that change, each whole, under its heading. A change that replaces a decision is a decision that supersedes it; a risk that reads differently now is listed under its id. What the person decided stands. Where a point cannot be settled now, or is wrong, say why: it is carried as a risk.`,
    acceptance: ['Every point is answered once', 'What the documents say afterwards agrees with all decisions'],
    form: 'an amendment',
    schema,
    optional: true,
  })
  if (!answer.ok) addFlags(phase, 'amendment_missing')
  const reply = answer.ok ? answer.value : null
  const decided = readDecided(answer.ok ? answer.text : '')
  const known = [...phase.plan.summaries.values()].flatMap(({ risks_identified }) => risks_identified)
  // The open points come first, so the numbers of further risks follow theirs.
  const numbered = (open: number) =>
    fromSynthesis(phase, decided, answer.ask, { ...after, risks: (after.risks ?? 0) + open })
  const { changed } = changedRisks(numbered(0).risks, known)
  const outcome = countAmendment(reply, points, decided.key_decisions.length + changed.length)
  const found = numbered(outcome.open.length)
  const { added } = changedRisks(found.risks, known)
  const prefix = `R${phase.id}${phase.pass > 1 ? `.${phase.pass}` : ''}`
  const open = outcome.open.map(({ point, why }, index) => ({
    id: `${prefix}-${(after.risks ?? 0) + index + 1}`,
    risk: `${flat(point.text)} (${point.by})`,
    severity: point.severity,
    ...(reply ? { mitigation: `not settled: ${flat(why)}` } : {}),
  }))
  const section = outcomeSection(outcome)
  await write(phase, { documents: reply?.documents ?? [], decisions: found.decisions, risks: changed }, outcome)
  return { ...found, risks: [...open, ...added], outcome, section }
}

/** What an amendment changes in earlier phases. */
interface Changes {
  documents: readonly DocumentChange[]
  decisions: readonly KeyDecision[]
  /** Earlier risks as they read now. */
  risks: readonly IdentifiedRisk[]
}

function listed({ id, by, severity, text }: Point): string {
  return `- ${id} (${severity}, ${by}): ${oneLine(text, 600)}`
}

function outcomeSection({ settled, open }: AmendmentOutcome): string {
  return [
    listSection(
      'Settled by an amendment',
      settled.map(({ point, how }) => `${flat(point.text)} (${point.by}) → ${flat(how)}`),
    ),
    listSection(
      'Not settled, carried as risks',
      open.map(({ point, why }) => `${flat(point.text)} (${point.by}): ${flat(why)}`),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
}

interface AmendedPhase {
  summary: Summary
  files: Record<string, string>
}

/** Writes the documents before the event, and keeps the summaries of their phases true. */
async function write(phase: Phase, changes: Changes, outcome: AmendmentOutcome): Promise<void> {
  const { plan, run, id } = phase
  const { amended } = await run.step(`amend in phase ${id}`, async (step) => {
    const amended: AmendedPhase[] = []
    for (const owner of ownersOf(plan, changes)) {
      const one = rewrite(plan, owner, changes, { id, outcome })
      const files: Record<string, string> = {}
      for (const [file, page] of Object.entries(one.pages)) {
        const artefact_ref = await plan.deps.store.putPayload(page)
        files[file] = artefact_ref
        const about = { phase: owner, file, bytes: Buffer.byteLength(page), artefact_ref }
        step.emit(artefactWritten.create(eventHeader(plan, run), about))
      }
      const rendered = renderSummary(one.summary)
      writeArtefact(plan.folder, summaryFile(owner), rendered)
      plan.written.set(owner, rendered)
      amended.push({ summary: one.summary, files })
    }
    step.emit(
      planAmended.create(eventHeader(plan, run), {
        phase: id,
        points: [
          ...outcome.settled.map(({ point, how }) => ({ point, settled: true, how })),
          ...outcome.open.map(({ point, why }) => ({ point, settled: false, how: why })),
        ].map(({ point: { id, by, text }, settled, how }) => ({ id, by, text, settled, how })),
        amended: amended.map(({ summary: { text, ...summary } }) => ({ phase: summary.phase, summary, text })),
      }),
    )
    return { amended }
  })
  for (const { summary } of amended) plan.summaries.set(summary.phase, summary)
}

/** Writes a person's rulings into the documents that contradict each other: these say otherwise until they are built. */
export async function noteRulings(
  phase: Phase,
  rulings: readonly { ruling: string; files: string[] }[],
): Promise<void> {
  const { plan, run, id } = phase
  if (rulings.length === 0) return
  await run.step(`rulings of phase ${id}`, async (step) => {
    for (const { id: owner, artefact } of phases) {
      const own = rulings.filter(({ files }) => files.includes(artefact)).map(({ ruling }) => `- ${ruling}`)
      const summary = plan.summaries.get(owner)
      if (own.length === 0 || !summary) continue
      const { text: _text, ...facts } = summary
      const section = { heading: 'Decided by the person since', text: own.join('\n') }
      const page = rewriteArtefact(plan.folder, artefact, facts, (text) => withSection(text, section))
      if (page === null) continue
      const artefact_ref = await plan.deps.store.putPayload(page)
      const about = { phase: owner, file: artefact, bytes: Buffer.byteLength(page), artefact_ref }
      step.emit(artefactWritten.create(eventHeader(plan, run), about))
    }
  })
}

/** The phases whose documents change, and those whose decisions are replaced or whose risks read differently. */
function ownersOf(plan: Plan, { documents, decisions, risks }: Changes): PhaseId[] {
  const replaced = decisions.flatMap(({ supersedes = [] }) => supersedes)
  return phases
    .filter(({ id, artefact }) => {
      const { key_decisions = [], risks_identified = [] } = plan.summaries.get(id) ?? {}
      return (
        documents.some(({ file }) => file === artefact) ||
        key_decisions.some((one) => replaced.includes(one.id)) ||
        risks_identified.some((one) => risks.some((risk) => risk.id === one.id))
      )
    })
    .map(({ id }) => id)
}

function rewrite(
  plan: Plan,
  owner: PhaseId,
  { documents, decisions, risks }: Changes,
  { id, outcome }: { id: PhaseId; outcome: AmendmentOutcome },
): { summary: Summary; pages: Record<string, string> } {
  const { artefact } = phaseById(owner)
  const before = plan.summaries.get(owner)!
  const changes = documents.filter(({ file }) => file === artefact)
  const told = changes.at(-1)?.summary ?? before.text
  const summary: Summary = {
    ...before,
    flags: [...new Set([...before.flags, 'amended'])],
    risks_identified: before.risks_identified.map((one) => risks.find((risk) => risk.id === one.id) ?? one),
    text: told,
  }
  const { text: _text, ...facts } = summary
  const how = outcome.settled.map((one) => `${flat(one.point.text)} (${one.point.by}) → ${flat(one.how)}`)
  const note = { heading: amendmentTitle(id), text: how.map((line) => `- ${line}`).join('\n') }
  const pages: Record<string, string> = {}
  const page = rewriteArtefact(plan.folder, artefact, facts, (text) => {
    const sections = changes.flatMap((change) => change.sections)
    const changed = sections.reduce((page, section) => withSection(page, section, ownSections), text)
    const noted = changes.length > 0 && how.length > 0 ? withSection(changed, note) : changed
    return withRisks(markReplaced(noted, decisions), risks, id)
  })
  if (page !== null) pages[artefact] = page
  if (owner !== '4') return { summary, pages }
  // The plan in short: its summary, and the same decisions.
  const short = rewriteArtefact(plan.folder, 'plan.md', facts, (text) => {
    const page = before.text === '' || text.includes(told) ? text : text.replace(before.text, () => told)
    return withRisks(markReplaced(page, decisions), risks, id)
  })
  if (short !== null) pages['plan.md'] = short
  return { summary, pages }
}

/** A replaced decision stays in its document and names its successor. */
function markReplaced(text: string, decisions: readonly KeyDecision[]): string {
  return decisions.reduce(
    (page, { id, supersedes = [] }) =>
      supersedes.reduce((marked, old) => {
        const line = new RegExp(`^(- \\*\\*${old.replaceAll('.', '\\.')}\\*\\* \\(.*)$`, 'm')
        const successor = ` _Replaced by **${id}**._`
        // The step may run again after a crash.
        return marked.replace(line, (found) => (found.endsWith(successor) ? found : `${found}${successor}`))
      }, page),
    text,
  )
}

/** A risk that reads differently says so in its document, too: nobody is asked about words that no longer hold. */
function withRisks(text: string, risks: readonly IdentifiedRisk[], by: PhaseId): string {
  return risks.reduce((page, risk) => {
    const line = new RegExp(`^- \\*\\*${risk.id.replaceAll('.', '\\.')}\\*\\* \\(.*$`, 'm')
    return page.replace(line, () => `- ${riskWords(risk)} _Changed in phase ${by}._`)
  }, text)
}
