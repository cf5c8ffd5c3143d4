/** One amend pass of the architect: settles points of a review or a check, and rewrites the documents. RV4. */
import {
  type Amendment,
  type AmendmentOutcome,
  amendmentFaults,
  amendmentTitle,
  changedRisks,
  countAmendment,
  type DocumentChange,
  isAsDesigned,
  numberPoints,
  ownSections,
  type PersonQuestion,
  type Point,
  pointsForPerson,
  type QuestionOfPoints,
  questionsOfContradictions,
  sameEnds,
} from '../../rules/plan/amendment.ts'
import type { Statement } from '../../rules/plan/consistency.ts'
import type { IdentifiedRisk, KeyDecision } from '../../rules/plan/phase-summary.ts'
import { type PhaseId, phaseById, phases } from '../../rules/plan/phase-table.ts'
import type { ItemPlace } from '../../rules/plan/plan-ids.ts'
import { architectOf } from '../../rules/plan/preset.ts'
import { withSection } from '../../rules/text/markdown-sections.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { noteBeside, strikeOut } from '../../rules/text/strike-out.ts'
import { renderSummary, rewriteArtefact, type Summary, summaryFile, writeArtefact } from '../artefacts.ts'
import { artefactWritten, planAmended } from '../events.ts'
import { addFlags, eventHeader, isLeft, type Phase, type Plan, settledIn } from '../plan.ts'
import { amendmentSchema, readDecided } from '../replies.ts'
import { listSection } from '../wording.ts'
import { askMember } from './ask-member.ts'
import { agentOf } from './ask-members.ts'
import { askUserAll, type UserOption } from './ask-user.ts'
import { type Found, flat, fromSynthesis, personsDecisions, riskWords } from './phase-result.ts'

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
  /** How the architect would put open contradictions to the person, by the point's text. */
  proposed: ReadonlyMap<string, PersonQuestion>
  /** The sections that changed: `design.md (Approach)`. */
  changed: string[]
  /** Markdown. */
  section: string
}

/**
 * Points that stay open are among the returned risks. A point that only the person can settle is put to the person; where the
 * documents say otherwise than the answer, the architect amends them once more.
 */
export async function amend(phase: Phase, request: AmendRequest): Promise<Amended> {
  phase.renew({ key_decisions: personsDecisions(phase) })
  const first = await amendOnce(phase, request)
  const asked = pointsForPerson(first.reply, first.outcome.open, settledIn(phase.plan))
  if (asked.length === 0) return resultOf(phase, first)
  const ruled = await askPerson(phase, asked, first.ask)
  const decided = ruled.flatMap(({ points, answer }) => points.map((point) => ({ point, how: answer })))
  if (decided.length > 0)
    await write(phase, { documents: [], decisions: [], risks: [] }, { settled: [], open: [], decided })
  const outcome = {
    ...first.outcome,
    open: afterAsking(first.outcome.open, asked, ruled),
    decided: [...first.outcome.decided, ...decided],
  }
  const one = resultOf(phase, { ...first, outcome })
  const changing = ruled.filter(({ question, answer }) => !isAsDesigned(question, answer))
  if (changing.length === 0) return one
  const { after = {} } = request
  // The architect starts from what its first reply changed.
  phase.renew({ key_decisions: [...personsDecisions(phase), ...one.decisions], risks_identified: one.risks })
  const second = await amendOnce(
    phase,
    {
      ...request,
      points: changing.map(({ question, points, answer }) => ({
        by: 'the person',
        text: `${question.text} The person decided: ${answer}`,
        severity: points[0]!.severity,
      })),
      source: 'What the person decided',
      after: {
        decisions: (after.decisions ?? 0) + one.decisions.length,
        risks: (after.risks ?? 0) + one.risks.length,
      },
    },
    one,
  )
  const other = resultOf(phase, second)
  const all = { ...outcome, open: [...outcome.open, ...other.outcome.open] }
  return {
    decisions: [...one.decisions, ...other.decisions],
    questions: [],
    risks: [...one.risks.map((risk) => second.changed.find(({ id }) => id === risk.id) ?? risk), ...other.risks],
    replaced: new Map([...(one.replaced ?? []), ...(other.replaced ?? [])]),
    unplaced: [...(one.unplaced ?? []), ...(other.unplaced ?? [])],
    outcome: all,
    proposed: one.proposed,
    changed: [...new Set([...one.changed, ...other.changed])],
    section: outcomeSection(all),
  }
}

/** One reply of the architect, and what it wrote. */
interface OnePass {
  reply: Amendment | null
  ask: string
  outcome: AmendmentOutcome
  /** Numbered behind so many open points. */
  found(open: number): Found
  /** Earlier risks, as they read before it. */
  known: IdentifiedRisk[]
  /** Those that read differently since. */
  changed: IdentifiedRisk[]
  after: ItemPlace['after']
}

/** `own`: what the amendment before it found, in the same phase. */
async function amendOnce(
  phase: Phase,
  { points: raised, files, source, after = {} }: AmendRequest,
  own?: Found,
): Promise<OnePass> {
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
    task: `${source} raised these points:\n${points.map(listed).join('\n')}\n\nSettle each by the smallest change to ${files.join(' and ')} that does it. Give only the sections that change, each whole, under its heading. A change that replaces a decision is a decision that supersedes it; a risk that reads differently now is listed under its id. What the person decided stands: a point that asks for it again or holds against it names that decision in "settled_by". Where nobody but the person can settle a point, put it to them in its "question". Where a point cannot be settled now, or is wrong, say why: it is carried as a risk.`,
    acceptance: ['Every point is answered once', 'What the documents say afterwards agrees with all decisions'],
    form: 'an amendment',
    schema,
    optional: true,
  })
  if (!answer.ok) addFlags(phase, 'amendment_missing')
  const reply = answer.ok ? answer.value : null
  const decided = readDecided(answer.ok ? answer.text : '')
  const known = [
    ...[...phase.plan.summaries.values()].flatMap(({ risks_identified }) => risks_identified),
    ...(own?.risks ?? []),
  ]
  // The open points come first, so the numbers of further risks follow theirs.
  const found = (open: number) =>
    fromSynthesis(phase, decided, answer.ask, { ...after, risks: (after.risks ?? 0) + open }, own)
  const { changed } = changedRisks(found(0).risks, known)
  // What the person has just decided is not in the documents yet: naming it settles nothing.
  const earlier = [...phase.plan.summaries.values()].flatMap(({ key_decisions }) => key_decisions)
  const said = own ? [] : [...earlier, ...personsDecisions(phase)]
  const outcome = countAmendment(reply, points, decided.key_decisions.length + changed.length, said)
  const { decisions } = found(0)
  await write(phase, { documents: reply?.documents ?? [], decisions, risks: changed }, outcome)
  return { reply, ask: answer.ask, outcome, found, known, changed, after }
}

function resultOf(phase: Phase, { reply, outcome, found, known, after = {} }: OnePass): Amended {
  const prefix = `R${phase.id}${phase.pass > 1 ? `.${phase.pass}` : ''}`
  const open = sameEnds(outcome.open, ({ why }) => why).map((ends, index) => ({
    id: `${prefix}-${(after.risks ?? 0) + index + 1}`,
    risk: pointsIn(ends),
    severity: ends.some(({ point }) => point.severity === 'CRITICAL') ? 'CRITICAL' : 'MAJOR',
    ...(reply ? { mitigation: `not settled: ${flat(ends[0]!.why)}` } : {}),
  }))
  const numbered = found(open.length)
  const { added } = changedRisks(numbered.risks, known)
  const proposed = questionsOfContradictions(reply, outcome.open)
  const changed = (reply?.documents ?? []).map(({ file, sections }) => {
    return `${file} (${sections.map(({ heading }) => oneLine(heading.replace(/^#+\s*/, ''))).join(', ')})`
  })
  return { ...numbered, risks: [...open, ...added], outcome, proposed, changed, section: outcomeSection(outcome) }
}

interface Ruling extends QuestionOfPoints {
  answer: string
}

/** RV4: asks everything at once; returns what the person decided. */
async function askPerson(phase: Phase, asked: readonly QuestionOfPoints[], turn: string): Promise<Ruling[]> {
  const answers = await askUserAll(
    phase,
    asked.map(({ question, points }) => ({
      text: oneLine(question.text, 400),
      background: points.map(({ by, text }) => `${by}: ${oneLine(text, 2000)}`).join('\n'),
      options: optionsOf(question.options),
      assume: { answer: leave, words: 'carried as a risk' },
      remember: true,
      leaves: leave,
      turn,
      ...resolvedBy(question, phase),
    })),
  )
  return asked.flatMap((one, index) => {
    const { answer } = answers[index]!
    const isOption = optionsOf(one.question.options).some(({ choice }) => choice === answer)
    return answer === leave || (!isOption && isLeft({ answer })) ? [] : [{ ...one, answer }]
  })
}

/** The open questions and risks that an answer settles; what names none is left out. */
export function resolvedBy({ resolves = [] }: PersonQuestion, { plan }: Phase): { resolves?: string[] } {
  const asked = [...plan.summaries.values()].flatMap(({ open_questions, risks_identified }) =>
    [...open_questions, ...risks_identified].map(({ id }) => id),
  )
  const ids = asked.filter((id) => resolves.includes(id))
  return ids.length > 0 ? { resolves: ids } : {}
}

/** Who raised a point holds an option only if the architect says so. */
export function optionsOf(options: PersonQuestion['options']): UserOption[] {
  return options.map(({ choice, follows, decision, held_by = [], as_designed }) => ({
    choice: oneLine(choice, 120),
    heldBy: held_by.length > 0 || !as_designed ? [...held_by] : ['the plan as it is'],
    follows: oneLine(follows, 300),
    decision: oneLine(decision, 400),
  }))
}

const leave = 'carry it as a risk'

function afterAsking(
  open: AmendmentOutcome['open'],
  asked: readonly QuestionOfPoints[],
  ruled: readonly Ruling[],
): AmendmentOutcome['open'] {
  const isIn = (all: readonly QuestionOfPoints[], id: string) =>
    all.some(({ points }) => points.some((one) => one.id === id))
  return open
    .filter(({ point }) => !isIn(ruled, point.id))
    .map((one) =>
      isIn(asked, one.point.id) ? { ...one, why: `${one.why} (put to the person, who left it open)` } : one,
    )
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

export function outcomeSection({ settled, open, decided }: AmendmentOutcome): string {
  return [
    listSection('Decided by the person', endLines(decided)),
    listSection('Settled by an amendment', endLines(settled)),
    listSection(
      'Not settled, carried as risks',
      sameEnds(open, ({ why }) => why).map((ends) => `${pointsIn(ends)}: ${flat(ends[0]!.why)}`),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** One line for the points that one answer ends. */
function endLines(ends: readonly { point: Point; how: string }[]): string[] {
  return sameEnds(ends, ({ how }) => how).map((same) => `${pointsIn(same)} → ${flat(same[0]!.how)}`)
}

function pointsIn(ends: readonly { point: Point }[]): string {
  return ends.map(({ point }) => `${flat(point.text)} (${point.by})`).join('; ')
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
          ...outcome.decided.map(({ point, how }) => ({
            point,
            settled: true,
            how: `decided by the person: ${how}`,
            decided: true as const,
          })),
          ...outcome.open.map(({ point, why }) => ({ point, settled: false, how: why })),
        ].map(({ point: { id, by, text }, ...end }) => ({ id, by, text, ...end })),
        changed: {
          files: [...new Set(changes.documents.map(({ file }) => file))],
          decisions: [...new Set(changes.decisions.flatMap(({ supersedes = [] }) => supersedes))],
          risks: changes.risks.map((risk) => risk.id),
        },
        amended: amended.map(({ summary: { text, ...summary } }) => ({ phase: summary.phase, summary, text })),
      }),
    )
    return { amended }
  })
  for (const { summary } of amended) plan.summaries.set(summary.phase, summary)
}

/** What the person ruled on a contradiction. */
export interface Ruled {
  ruling: string
  /** The answer alone. */
  how: string
  sides: readonly Statement[]
  /** The sides that do not hold; none if it cannot be told. */
  overruled: readonly Statement[]
}

/** Writes a person's rulings into the documents that contradict each other, and strikes what does not hold any more. */
export async function noteRulings(phase: Phase, rulings: readonly Ruled[]): Promise<void> {
  const { plan, run, id } = phase
  if (rulings.length === 0) return
  await run.step(`rulings of phase ${id}`, async (step) => {
    for (const { id: owner, artefact } of phases) {
      const isHere = ({ where }: Statement) => fileIn(where) === artefact
      const own = rulings.filter(({ sides }) => sides.some(isHere))
      const summary = plan.summaries.get(owner)
      if (own.length === 0 || !summary) continue
      const { text: _text, ...facts } = summary
      const noted = own.map(({ ruling }) => `- ${ruling}`).join('\n')
      const section = { heading: 'Decided by the person since', text: noted }
      const page = rewriteArtefact(plan.folder, artefact, facts, (text) =>
        own.reduce((page, ruled) => withRuling(page, ruled, isHere), withSection(text, section)),
      )
      if (page === null) continue
      const artefact_ref = await plan.deps.store.putPayload(page)
      const about = { phase: owner, file: artefact, bytes: Buffer.byteLength(page), artefact_ref }
      step.emit(artefactWritten.create(eventHeader(plan, run), about))
    }
  })
}

/** What is overruled is struck; where nobody can tell, both sides name the ruling. */
function withRuling(page: string, { sides, overruled, how }: Ruled, isHere: (side: Statement) => boolean): string {
  const since = `decided since: ${oneLine(how, 200)}`
  if (overruled.length > 0)
    return overruled.filter(isHere).reduce((struck, { says }) => strikeOut(struck, says, since), page)
  return sides.filter(isHere).reduce((noted, { says }) => noteBeside(noted, says, since), page)
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
  { documents, risks }: Changes,
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
  const how = endLines(outcome.settled.filter(({ point }) => isAbout(point, artefact)))
  const note = { heading: amendmentTitle(id), text: how.map((line) => `- ${line}`).join('\n') }
  const pages: Record<string, string> = {}
  const page = rewriteArtefact(plan.folder, artefact, facts, (text) => {
    const sections = changes.flatMap((change) => change.sections)
    const changed = sections.reduce((page, section) => withSection(page, section, ownSections), text)
    const noted = changes.length > 0 && how.length > 0 ? withSection(changed, note) : changed
    return withRisks(noted, risks, id)
  })
  if (page !== null) pages[artefact] = page
  if (owner !== '4') return { summary, pages }
  // The plan in short: its summary.
  const short = rewriteArtefact(plan.folder, 'plan.md', facts, (text) => {
    const page = before.text === '' || text.includes(told) ? text : text.replace(before.text, () => told)
    return withRisks(page, risks, id)
  })
  if (short !== null) pages['plan.md'] = short
  return { summary, pages }
}

/** A point that names documents is noted only in those. */
function isAbout({ places = [] }: Point, file: string): boolean {
  const named = places.flatMap((place) => fileIn(place) ?? [])
  return named.length === 0 || named.includes(file)
}

/** The document that a place names: `design.md (Interfaces)`. */
function fileIn(place: string): string | undefined {
  return /[\w-]+\.md\b/.exec(place)?.[0]
}

/** A risk that reads differently says so in its document, too: nobody is asked about words that no longer hold. */
function withRisks(text: string, risks: readonly IdentifiedRisk[], by: PhaseId): string {
  return risks.reduce((page, risk) => {
    const line = new RegExp(`^- \\*\\*${risk.id.replaceAll('.', '\\.')}\\*\\* \\(.*$`, 'm')
    return page.replace(line, () => `- ${riskWords(risk)} _Changed in phase ${by}._`)
  }, text)
}
