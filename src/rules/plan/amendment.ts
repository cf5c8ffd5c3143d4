/** What a review or a check found is put to the architect once; what stays open becomes a risk. SPEC.md § RV4. */
import { oneLine } from '../text/one-line.ts'
import { sameMatter } from './consistency.ts'
import type { Objection } from './phase.ts'
import type { IdentifiedRisk, KeyDecision } from './phase-summary.ts'
import { type PhaseId, phaseIds } from './phase-table.ts'
import { isPersons } from './plan-ids.ts'
import { addsNothing } from './repeated-answers.ts'
import type { Finding } from './review.ts'
import { type SettledMatter, settledBefore } from './settled-matters.ts'

/** Something that the architect has to settle. */
export interface Point {
  /** `a1`, `a2` … in the order of the list. */
  id: string
  /** Who raised it. */
  by: string
  text: string
  severity: 'CRITICAL' | 'MAJOR'
  /** The documents and decisions that it is about, if it names them: one of them has to change. */
  places?: readonly string[]
}

/** A change to a document of the plan: whole sections, under their headings. */
export interface DocumentChange {
  file: string
  /** What is true of the document now, for those who read only its summary. */
  summary: string
  sections: readonly { heading: string; text: string }[]
}

/** RV4: what only the person can settle. */
export interface PersonQuestion {
  text: string
  options: readonly {
    choice: string
    follows: string
    /** The option as a decision of the plan, in one sentence. */
    decision: string
    /** Who holds it. */
    held_by?: readonly string[] | undefined
    /** The documents already say so: nothing changes if it is chosen. */
    as_designed?: boolean | undefined
  }[]
  /** The open questions that the answer settles, by id. */
  resolves?: readonly string[] | undefined
}

export interface PointAnswer {
  id: string
  settled: boolean
  how: string
  /** Another point on the same matter: this one ends as that one does. */
  same_as?: string | undefined
  /** The decision of the person that answers it already, such as `P2-1`. */
  settled_by?: string | undefined
  question?: PersonQuestion | undefined
}

export interface Amendment {
  points: readonly PointAnswer[]
  documents: readonly DocumentChange[]
}

export interface AmendmentOutcome {
  settled: { point: Point; how: string }[]
  /** Carried as risks, with the reason. */
  open: { point: Point; why: string }[]
  /** RV4: decided by the person. */
  decided: { point: Point; how: string }[]
}

/** The MAJOR findings that a review carries on; what the person overrode is decided. */
export function findingsToAmend(carried: readonly Finding[], overridden: readonly Finding[] = []): Finding[] {
  return carried.filter((finding) => !overridden.includes(finding))
}

/** The dissents of a panel that scored YELLOW. After GREEN they are noted (PH4), and RED sends the whole design back. */
export function dissentsToAmend({
  outcome,
  dissents,
}: {
  outcome?: string | null
  dissents?: readonly Objection[] | null
}): Objection[] {
  return outcome === 'YELLOW' ? [...(dissents ?? [])] : []
}

/** PH4: what members miss in a test plan that scored GREEN. After YELLOW it is repaired, and RED sends the tests back. */
export function dissentsToNote({ outcome, dissents }: Parameters<typeof dissentsToAmend>[0]): Objection[] {
  return outcome === 'GREEN' ? [...(dissents ?? [])] : []
}

/** The section of a document that says what a phase amended in it. */
export function amendmentTitle(phase: PhaseId): string {
  return `Amendments of phase ${phase}`
}

export function numberPoints(points: readonly Omit<Point, 'id'>[]): Point[] {
  return points.map((point, index) => ({ id: `a${index + 1}`, ...point }))
}

/** Sections that Convene writes; an agent lists such items instead. */
export const ownSections: readonly string[] = [
  'Decisions',
  'Open questions',
  'Risks',
  'Could not be placed',
  'Agreement',
  ...phaseIds.map(amendmentTitle),
]

/** What is wrong with an amendment; empty if every point is answered once and only the given files change. */
export function amendmentFaults(
  { points: answers, documents }: Amendment,
  points: readonly Point[],
  files: readonly string[],
): string[] {
  const given = answers.map(({ id }) => id)
  const known = points.map(({ id }) => id)
  const headings = documents.flatMap(({ sections }) => sections.map(({ heading }) => plain(heading)))
  return [
    ...known.filter((id) => !given.includes(id)).map((id) => `${id} is not answered`),
    ...[...new Set(given.filter((id, index) => given.indexOf(id) !== index))].map((id) => `${id} is answered twice`),
    ...given.filter((id) => !known.includes(id)).map((id) => `there is no ${id}`),
    ...answers
      .filter(({ id, same_as }) => same_as && (same_as === id || !known.includes(same_as)))
      .map(({ id, same_as }) => `${id} is the same as ${same_as}, which is no other point`),
    ...documents
      .filter(({ file }) => !files.includes(file))
      .map(({ file }) => `${file} may not be changed, only ${files.join(', ')}`),
    ...answers
      .filter(({ question }) => question && held(question).size < 2)
      .map(({ id }) => `the question of ${id} needs two options that exclude each other, and who holds each`),
    ...ownSections
      .filter((title) => headings.includes(plain(title)))
      .map((title) => `the section ${title} is written by Convene: list its items in the reply instead`),
  ]
}

/**
 * RV4: a point is settled if the architect says so and the reply changes a document, decides something or changes a risk
 * (`decided` counts both). A claim without any change, or with changes to other documents than those that contradict each
 * other, and a point without an answer, stay open, unless one of the person's earlier decisions (`said`) answers it. Without a
 * reply everything stays open.
 */
export function countAmendment(
  amendment: Amendment | null,
  points: readonly Point[],
  decided: number,
  said: readonly KeyDecision[] = [],
): AmendmentOutcome {
  const outcome: AmendmentOutcome = { settled: [], open: [], decided: [] }
  const changes = amendment !== null && (amendment.documents.length > 0 || decided > 0)
  for (const point of points) {
    const given = answerTo(point, amendment, points)
    const answer = given && { ...given, how: withoutPointIds(given.how, points) }
    const earlier = given && !given.settled && !isOnDocuments(point) ? earlierDecision(given, said) : undefined
    if (!answer) outcome.open.push({ point, why: unanswered })
    else if (earlier) outcome.decided.push({ point, how: `${earlier.answer ?? earlier.decision} (${earlier.id})` })
    else if (!answer.settled) outcome.open.push({ point, why: answer.how })
    else if (!changes || !isTouched(point, amendment!.documents, decided))
      outcome.open.push({ point, why: `called settled without a change: ${answer.how}` })
    else outcome.settled.push({ point, how: answer.how })
  }
  return outcome
}

/** Points that one answer ends, in the order of the first of each. */
export function sameEnds<End extends { point: Point }>(ends: readonly End[], howOf: (end: End) => string): End[][] {
  const groups: End[][] = []
  for (const end of ends) {
    const same = groups.find(([first]) => {
      return first && howOf(first) === howOf(end) && howOf(end) !== unanswered && !isOnDocuments(end.point)
    })
    if (same) same.push(end)
    else groups.push([end])
  }
  return groups
}

const unanswered = 'the architect did not answer'

/** What the reply says to a point, or to the one that it is the same as: both are contradictions of documents, or neither is. */
function answerTo(point: Point, amendment: Amendment | null, points: readonly Point[]): PointAnswer | undefined {
  const seen = new Set<string>()
  const follow = (id: string): PointAnswer | undefined => {
    const given = amendment?.points.find((one) => one.id === id)
    const other = points.find((one) => one.id === given?.same_as)
    seen.add(id)
    if (!other || seen.has(other.id) || isOnDocuments(other) !== isOnDocuments(point)) return given
    return follow(other.id) ?? given
  }
  return follow(point.id)
}

function isOnDocuments({ places = [] }: Point): boolean {
  return places.length > 0
}

/** RV4: the decision of the person that an answer names, or that one of the options it would put to them only repeats. */
function earlierDecision({ settled_by, question }: PointAnswer, said: readonly KeyDecision[]): KeyDecision | undefined {
  const persons = said.filter(isPersons)
  const named = persons.find(({ id }) => plain(id) === plain(settled_by ?? ''))
  const repeats = ({ decision }: PersonQuestion['options'][number]) => persons.find((one) => addsNothing(decision, one))
  return named ?? question?.options.map(repeats).find((one) => one !== undefined)
}

/** The numbers of points are between Convene and the architect; people read what the point says: `same as a1`. */
function withoutPointIds(how: string, points: readonly Point[]): string {
  return how.replace(/(?<![\w'"`-])a\d+(?![\w'"`-])/g, (id) => {
    const point = points.find((one) => one.id === id)
    return point ? `“${oneLine(point.text, 80)}”` : id
  })
}

/** A question to the person, and the open points that wait for its answer. */
export interface QuestionOfPoints {
  question: PersonQuestion
  points: Point[]
}

/**
 * RV4: which open points are put to the person: those whose answer brings a question with two options that are held, unless the
 * person has spoken on the matter. The sides of a contradiction are asked about by RV5. Points with one matter share a question.
 */
export function pointsForPerson(
  amendment: Amendment | null,
  open: AmendmentOutcome['open'],
  settled: readonly SettledMatter[],
): QuestionOfPoints[] {
  const asked: QuestionOfPoints[] = []
  const points = open.map(({ point }) => point)
  for (const point of points) {
    const question = answerTo(point, amendment, points)?.question
    if (!question || held(question).size < 2 || isOnDocuments(point)) continue
    const spoken = settledBefore({ question: question.text }, settled)
    if (spoken) continue
    const same = asked.find((one) => sameMatter(one.question.text, question.text))
    if (same) same.points.push(point)
    else asked.push({ question, points: [point] })
  }
  return asked
}

/**
 * RV5: how the architect would put an open contradiction to the person, by the point's text: its options say what follows, where
 * the documents only say what they say.
 */
export function questionsOfContradictions(
  amendment: Amendment | null,
  open: AmendmentOutcome['open'],
): Map<string, PersonQuestion> {
  const points = open.map(({ point }) => point)
  return new Map(
    points.flatMap((point) => {
      const question = answerTo(point, amendment, points)?.question
      return question && held(question).size > 1 && isOnDocuments(point) ? [[point.text, question]] : []
    }),
  )
}

/** RV4: the documents follow the person's choice already; own words and any other option change them. */
export function isAsDesigned({ options }: PersonQuestion, answer: string): boolean {
  return options.some(({ choice, as_designed }) => as_designed === true && plain(choice) === plain(answer))
}

/** Options that an agent or a document holds. An option nobody holds is no conflict. */
function held({ options }: PersonQuestion): Set<string> {
  const stated = options.filter(({ held_by = [], as_designed }) => held_by.length > 0 || as_designed === true)
  return new Set(stated.map(({ choice }) => plain(choice)))
}

function isTouched({ places = [] }: Point, documents: readonly DocumentChange[], decided: number): boolean {
  const named = places.flatMap((place) => /[\w-]+\.md\b/.exec(place)?.[0].toLowerCase() ?? [])
  return (
    decided > 0 ||
    places.length === 0 ||
    named.length < places.length ||
    documents.some(({ file }) => named.includes(file))
  )
}

/** RV4: which risks of an amendment say how an earlier risk reads now; the others are new. */
export function changedRisks(
  given: readonly IdentifiedRisk[],
  earlier: readonly IdentifiedRisk[],
): { changed: IdentifiedRisk[]; added: IdentifiedRisk[] } {
  const before = new Map(earlier.map((risk) => [risk.id, risk]))
  const isChanged = (one: IdentifiedRisk) => {
    const old = before.get(one.id)
    return (
      old !== undefined &&
      [old.risk !== one.risk, old.severity !== one.severity, old.mitigation !== one.mitigation].some(Boolean)
    )
  }
  return { changed: given.filter(isChanged), added: given.filter(({ id }) => !before.has(id)) }
}

function plain(text: string): string {
  return text
    .replace(/^#+\s*/, '')
    .trim()
    .toLowerCase()
}
