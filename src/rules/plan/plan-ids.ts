/** Numbers the decisions, questions and risks of a phase and resolves what an agent called them. SPEC.md § CX2. */
import type { IdentifiedRisk, KeyDecision, OpenQuestion, PhaseSummary } from './phase-summary.ts'
import type { PhaseId } from './phase-table.ts'

/** The items of one reply, under the names that the agent gave them. */
export interface ReplyItems {
  decisions: readonly KeyDecision[]
  questions: readonly OpenQuestion[]
  risks: readonly IdentifiedRisk[]
}

export interface NumberedItems {
  decisions: KeyDecision[]
  questions: OpenQuestion[]
  risks: IdentifiedRisk[]
  /** References that name nothing, such as `D4-1 supersedes “DB-7”`. */
  unknown: string[]
}

/** What earlier phases decided, asked and found. */
export type EarlierItems = Pick<PhaseSummary, 'key_decisions' | 'open_questions' | 'risks_identified'>

/** The name of an item that its agent left unnamed. */
export const unnamed = 'none'

/** The phase that numbers the items, and how many it has numbered before. */
export interface ItemPlace {
  phase: PhaseId
  pass: number
  after?: { decisions?: number; questions?: number; risks?: number }
}

/**
 * CX2: ids are `D4-1`, `Q4-1` and `R4-1`, in the second pass of a phase `D4.2-1`. A question or risk that was raised before
 * keeps its id. A decision that reuses an earlier decision's id with other words contradicts it, unless it says that it
 * supersedes it.
 */
export function numberItems(
  { phase, pass, after = {} }: ItemPlace,
  given: ReplyItems,
  earlier: readonly EarlierItems[],
): NumberedItems {
  const suffix = `${phase}${pass > 1 ? `.${pass}` : ''}`
  const decided = earlier.flatMap(({ key_decisions }) => key_decisions)
  const asked = earlier.flatMap(({ open_questions }) => open_questions)
  const found = earlier.flatMap(({ risks_identified }) => risks_identified)
  const decisions = given.decisions.map((one, index) => named(one, `D${suffix}-${(after.decisions ?? 0) + index + 1}`))
  const questions = numbered(
    given.questions,
    { prefix: `Q${suffix}`, after: after.questions ?? 0 },
    asked,
    ({ question }) => question,
  )
  const risks = numbered(given.risks, { prefix: `R${suffix}`, after: after.risks ?? 0 }, found, ({ risk }) => risk)
  const unknown: string[] = []
  const links = (from: KeyDecision, verb: 'supersedes' | 'resolves' | 'contradicts', names: Names) => {
    const ids = (from[verb] ?? []).flatMap((name) => {
      const id = names.idOf(name) ?? (isOfEarlierPass(name, phase, pass) ? name : undefined)
      if (id === undefined) unknown.push(`${from.id} ${verb} “${name}”`)
      return id === undefined || id === from.id ? [] : [id]
    })
    return [...new Set(ids)]
  }
  const decisionNames = namesOf(decided, decisions)
  // What a decision settles: questions, and risks that it removes.
  const matterNames = namesOf([...asked, ...found], [...questions, ...risks])
  const linked = decisions.map((one) => {
    const { supersedes: _s, resolves: _r, contradicts: _c, ...decision } = one
    const supersedes = links(one, 'supersedes', decisionNames)
    const opposed = [...links(one, 'contradicts', decisionNames), ...namesake(one, decided)]
    const contradicts = [...new Set(opposed)].filter((id) => !supersedes.includes(id))
    const resolves = links(one, 'resolves', matterNames)
    return {
      ...decision,
      ...(supersedes.length > 0 ? { supersedes } : {}),
      ...(resolves.length > 0 ? { resolves } : {}),
      ...(contradicts.length > 0 ? { contradicts } : {}),
    }
  })
  return { decisions: linked, questions, risks, unknown }
}

/** Whether an answer of the person made this decision: only the person can replace it. */
export function isPersons({ id }: Pick<KeyDecision, 'id'>): boolean {
  return /^P\d/.test(id)
}

interface Item {
  id: string
  called?: string
}

function named<Value extends Item>(item: Value, id: string): Value {
  const { called: _before, ...rest } = item
  return { ...rest, id, ...(item.id === unnamed || same(item.id, id) ? {} : { called: item.id }) } as Value
}

function numbered<Value extends Item>(
  items: readonly Value[],
  { prefix, after }: { prefix: string; after: number },
  earlier: readonly Value[],
  wordsOf: (item: Value) => string,
): Value[] {
  let count = after
  const result = new Map<string, Value>()
  for (const item of items) {
    const known =
      earlier.find(({ id }) => same(id, item.id)) ?? earlier.find((one) => same(wordsOf(one), wordsOf(item)))
    const again = known ? undefined : [...result.values()].find((one) => same(wordsOf(one), wordsOf(item)))
    const id = known?.id ?? again?.id ?? `${prefix}-${++count}`
    if (!result.has(id)) result.set(id, named(item, id))
  }
  return [...result.values()]
}

interface Names {
  idOf(name: string): string | undefined
}

/** Ids of earlier phases first, then names within this reply, then what earlier replies called an item, if it is unique. */
function namesOf(earlier: readonly Item[], own: readonly Item[]): Names {
  return {
    idOf(name) {
      const byId = [...earlier, ...own].find(({ id }) => same(id, name))
      const inReply = own.find(({ called }) => called !== undefined && same(called, name))
      const before = earlier.filter(({ called }) => called !== undefined && same(called, name))
      return (byId ?? inReply ?? (before.length === 1 ? before[0] : undefined))?.id
    },
  }
}

function namesake({ called, decision }: KeyDecision, decided: readonly KeyDecision[]): string[] {
  const other = called === undefined ? undefined : decided.find(({ id }) => same(id, called))
  return other && !same(other.decision, decision) ? [other.id] : []
}

/** A design that was sent back may name decisions of the pass before, which are withdrawn. */
function isOfEarlierPass(name: string, phase: PhaseId, pass: number): boolean {
  return pass > 1 && new RegExp(`^[DQR]${phase}(\\.\\d+)?-\\d+$`).test(name)
}

function same(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
