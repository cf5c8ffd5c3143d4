/** Compares the documents of a plan before it becomes issues, and has contradictions repaired once. RV5. */
import { type AmendmentOutcome, dissentsToAmend, type PersonQuestion, type Point } from '../../rules/plan/amendment.ts'
import {
  type Choice,
  type Contradiction,
  type ContradictionEnd,
  choiceOf,
  decisionAt,
  isChoice,
  needsSecondCheck,
  nextForContradiction,
  overruledBy,
  realContradictions,
  type Statement,
  sameContradiction,
  sameMatter,
  stillStanding,
} from '../../rules/plan/consistency.ts'
import type { IdentifiedRisk, KeyDecision } from '../../rules/plan/phase-summary.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { consistencyChecked, contradictionsSettled } from '../events.ts'
import { addFlags, emit, eventHeader, isLeft, type Phase } from '../plan.ts'
import { contradictionsSchema } from '../replies.ts'
import { listSection } from '../wording.ts'
import { type Amended, amend, noteRulings, optionsOf, outcomeSection, resolvedBy } from './amend.ts'
import { agentFor, askMember } from './ask-member.ts'
import { askUserAll } from './ask-user.ts'
import { decisionSection, flat, personsDecisions } from './phase-result.ts'

export interface Consistency {
  decisions: KeyDecision[]
  risks: IdentifiedRisk[]
  /** What the person ruled, for the prompt that follows. */
  rulings: string[]
  /** How each contradiction ended. */
  ends: EndedContradiction[]
  /** Markdown for the artefact. */
  section: string
}

export interface EndedContradiction extends Contradiction {
  end: ContradictionEnd
  how: string
  /** The sides that do not hold, if it can be told. */
  overruled?: readonly Statement[]
}

const consistent: Consistency = { decisions: [], risks: [], rulings: [], ends: [], section: '' }

/** `found`: contradictions that somebody has named already; otherwise the documents are compared first. */
export async function settleContradictions(phase: Phase, found?: readonly Contradiction[]): Promise<Consistency> {
  const { plan } = phase
  const first = found ? realContradictions(found) : await compare(phase, 1)
  const coverage = found ? [] : dissentsToAmend(plan.summaries.get('8') ?? {})
  const contradictions = first ?? []
  if (contradictions.length + coverage.length === 0) return consistent
  const amended = await amend(phase, {
    points: [
      ...contradictions.map((one) => ({
        by: 'consistency check',
        text: contradictionWords(one),
        severity: 'MAJOR' as const,
        places: [one.first.where, one.second.where],
      })),
      ...coverage.map(({ member, text }) => ({ by: member, text, severity: 'MAJOR' as const })),
    ],
    files: ['design.md', 'test-plan.md'],
    source: 'Comparing the documents of the plan',
  })
  const { decisions, risks, outcome } = amended
  phase.renew({ key_decisions: [...personsDecisions(phase), ...decisions], risks_identified: risks })
  const unsettled = new Set(outcome.open.map(({ point }) => point.text))
  const second = needsSecondCheck(decisions) ? await compare(phase, 2, touchedBy(amended)) : null
  const standing = stillStanding(
    contradictions.filter((one) => unsettled.has(contradictionWords(one))),
    second,
  )
  const settled = outcome.settled.flatMap(({ point, how }) => {
    const one = contradictions.find((other) => contradictionWords(other) === point.text)
    const isBack = one && standing.some((other) => sameContradiction(other, one))
    return one && !isBack ? [{ ...one, end: 'repaired' as const, how: flat(how) }] : []
  })
  const whyOpen = new Map(outcome.open.map(({ point, why }) => [point.text, why]))
  const ended = await decideStanding(phase, standing, { whyOpen, proposed: amended.proposed })
  const rulings = ended
    .filter(({ end }) => end === 'decided')
    .map(({ matter, how, first, second, overruled = [] }) => ({
      ruling: `${oneLine(matter, 200)} → ${how}`,
      how,
      sides: [first, second],
      overruled,
    }))
  await noteRulings(phase, rulings)
  const own = [...decisions, ...overrulings(phase, ended, decisions.length)]
  const carried = carriedRisks(phase, ended, risks)
  // The issues are written by what the documents say now, and name the person's decisions by id.
  if (rulings.length > 0)
    phase.renew({ key_decisions: [...personsDecisions(phase), ...own], risks_identified: carried })
  const ends = [...settled, ...ended]
  await recordEnds(phase, ends)
  return {
    decisions: own,
    risks: carried,
    rulings: rulings.map(({ ruling }) => ruling),
    ends,
    section: [
      listSection(
        'Contradictions found',
        ends
          .filter(({ end }) => end !== 'open')
          .map((one) => `${contradictionWords(one)} → ${one.end === 'decided' ? 'decided by you: ' : ''}${one.how}`),
      ),
      outcomeSection(withoutContradictions(outcome)),
      openSection(ends),
      decisionSection({ ...amended, decisions: own, risks: carried }),
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

/**
 * RV5: a decision that an answer overrules holds no more. The answer of this phase replaces it; for an answer of an earlier phase,
 * which is written already, a decision of this phase does.
 */
function overrulings(phase: Phase, ended: readonly DecidedContradiction[], after: number): KeyDecision[] {
  const decided = decidedIn(phase)
  const gone = ended.flatMap((one) => {
    const losers = (one.overruled ?? []).flatMap((side) => decisionAt(side, decided)?.id ?? [])
    return one.end === 'decided' && losers.length > 0 ? [{ one, losers }] : []
  })
  const before = gone.filter(({ one, losers }) => {
    const said = phase.plan.clarifications.findLast(({ phase: where, question }) => {
      return where === phase.id && question === one.asked
    })
    if (said) said.supersedes = [...new Set([...(said.supersedes ?? []), ...losers])]
    return !said
  })
  return before.map(({ one: { matter, how }, losers }, index) => ({
    id: `D${phase.id}${phase.pass > 1 ? `.${phase.pass}` : ''}-${after + index + 1}`,
    decision: `${oneLine(matter, 200)} → ${how}`,
    rationale: 'the person had decided it',
    confidence: 'HIGH',
    supersedes: losers,
  }))
}

function decidedIn({ plan }: Phase): KeyDecision[] {
  return [...plan.summaries.values()].flatMap(({ key_decisions }) => key_decisions)
}

/** Each contradiction is listed once, with its end. */
function withoutContradictions({ settled, open, decided }: AmendmentOutcome): AmendmentOutcome {
  const isOther = ({ point }: { point: Point }) => point.places === undefined
  return { settled: settled.filter(isOther), open: open.filter(isOther), decided: decided.filter(isOther) }
}

/** RV5: contradictions that somebody names after the repair, when nothing can be repaired or asked any more: they stay open. */
export async function keepOpen(
  phase: Phase,
  named: readonly Contradiction[],
  before: Consistency | null,
): Promise<Consistency> {
  const { decisions, risks, rulings, ends, section } = before ?? consistent
  const isDecided = (one: Contradiction) =>
    ends.some((other) => other.end !== 'repaired' && sameContradiction(other, one))
  const found = realContradictions(named).filter((one) => !isDecided(one))
  if (found.length === 0) return before ?? consistent
  const fresh = found.map((one) => ({ ...one, end: 'open' as const, how: 'named by the agent that wrote the issues' }))
  const all = [...ends.filter((one) => !found.some((other) => sameContradiction(other, one))), ...fresh]
  const carried = carriedRisks(phase, fresh, risks)
  await recordEnds(phase, all)
  return {
    decisions,
    risks: carried,
    rulings,
    ends: all,
    section: [section, openSection(fresh)].filter(Boolean).join('\n\n'),
  }
}

async function recordEnds({ plan, run, id }: Phase, all: readonly EndedContradiction[]): Promise<void> {
  const ends = all.map(({ matter, first, second, end, how }) => ({ matter, first, second, end, how }))
  await emit(run, contradictionsSettled.create(eventHeader(plan, run), { phase: id, ends }))
}

/** An open contradiction is a risk and flags the plan; one that the person decided is no risk any more. */
function carriedRisks(
  phase: Phase,
  ended: readonly EndedContradiction[],
  risks: readonly IdentifiedRisk[],
): IdentifiedRisk[] {
  const isAbout = (one: Contradiction) => (risk: IdentifiedRisk) => risk.risk.startsWith(flat(contradictionWords(one)))
  const open = ended.filter(({ end }) => end === 'open')
  if (open.length > 0) addFlags(phase, 'contradictory')
  const kept = risks.filter((risk) => !ended.some((one) => one.end === 'decided' && isAbout(one)(risk)))
  const fresh = open.filter((one) => !kept.some(isAbout(one)))
  const prefix = `R${phase.id}${phase.pass > 1 ? `.${phase.pass}` : ''}`
  return [
    ...kept,
    ...fresh.map((one, index) => ({
      id: `${prefix}-${risks.length + index + 1}`,
      risk: contradictionWords(one),
      severity: 'MAJOR',
      mitigation: `the documents of the plan contradict each other: ${one.how}`,
    })),
  ]
}

function openSection(ends: readonly EndedContradiction[]): string {
  const open = ends.filter(({ end }) => end === 'open')
  return listSection(
    'Contradictions that stand',
    open.map((one) => `${contradictionWords(one)} (${one.how})`),
  )
}

/** RV5: what the second comparison is about. */
function touchedBy({ changed, decisions }: Pick<Amended, 'changed' | 'decisions'>): string[] {
  const replaced = decisions.flatMap(({ id, supersedes = [] }) =>
    supersedes.length > 0 ? [`${id} instead of ${supersedes.join(', ')}`] : [],
  )
  return [...changed, ...replaced]
}

/** Null if nobody could compare them. */
async function compare(phase: Phase, round: number, touched: string[] = []): Promise<Contradiction[] | null> {
  const { plan, run, id, settings } = phase
  const answer = await askMember(phase, {
    kind: 'review',
    agent: agentFor(settings.staff.reviewers, 0),
    role: 'consistency-checker',
    round,
    task: `${touched.length > 0 ? `A repair changed ${touched.join('; ')}. Compare only this with everything else.` : 'Compare the specification, the design, the test plan and the decisions with each other.'} List every pair of statements about one matter that cannot both hold. A gap, a risk or a matter of taste is no contradiction.`,
    acceptance: ['Each side is quoted with its place', 'Nothing is listed on which all of them agree'],
    form: 'contradictions',
    schema: contradictionsSchema,
    optional: true,
  })
  const contradictions = answer.ok ? realContradictions(answer.value.contradictions) : null
  if (contradictions === null) addFlags(phase, 'consistency_unchecked')
  await emit(run, consistencyChecked.create(eventHeader(plan, run), { phase: id, round, contradictions }))
  return contradictions
}

/** What the architect said of contradictions that it left open, by their words. */
interface ArchitectsView {
  whyOpen: ReadonlyMap<string, string>
  proposed: ReadonlyMap<string, PersonQuestion>
}

interface DecidedContradiction extends EndedContradiction {
  /** The question that put it to the person; none if an earlier answer decided it. */
  asked?: string
}

/** RV5: the person's earlier word decides; what they have not spoken on is asked, all at once; the rest stays open. */
async function decideStanding(
  phase: Phase,
  standing: readonly Contradiction[],
  { whyOpen, proposed }: ArchitectsView,
): Promise<DecidedContradiction[]> {
  const { plan } = phase
  const decided = decidedIn(phase)
  const said = plan.clarifications.filter((one) => !one.assumed && !isLeft(one))
  const next = standing.map((one) => ({ one, next: nextForContradiction(one, decided, said) }))
  const questions = questionsOn(
    next.flatMap(({ one, next }) => (next.kind === 'ask' ? [one] : [])),
    proposed,
  )
  const textOf = ({ about }: QuestionOn) => `The plan contradicts itself: ${oneLine(about, 300)}`
  const answers = await askUserAll(
    phase,
    questions.map((question) => {
      const { about, own, contradictions } = question
      const [one] = contradictions
      const sides = [one.first, one.second].map((side) => ({
        choice: choiceOf(side),
        heldBy: [decided.some(({ id }) => id === side.where) ? `decision ${side.where}` : side.where],
      }))
      return {
        text: textOf(question),
        about,
        ...backgroundOf(contradictions.flatMap((one) => whyOpen.get(contradictionWords(one)) ?? [])),
        options: own ? optionsOf(own.options) : sides,
        ...(own ? resolvedBy(own, phase) : {}),
        assume: { answer: leave, words: 'carried as a risk' },
        remember: true,
        leaves: leave,
        context: { contradiction: one },
      }
    }),
  )
  return next.map(({ one, next }) => {
    if (next.kind === 'decided') return { ...one, end: 'decided', how: next.answer, overruled: next.overruled }
    if (next.kind === 'open') return { ...one, end: 'open', how: next.because }
    const index = questions.findIndex(({ contradictions }) => contradictions.includes(one))
    const question = questions[index]!
    const { answer, by } = answers[index]!
    const isOption = question.own?.options.some(({ choice }) => isChoice(answer, choice)) ?? false
    if (answer !== leave && (isOption || !isLeft({ answer }))) {
      const overruled = overruledBy(one, choiceMade(answer, question.own))
      return { ...one, end: 'decided', how: answer, overruled, asked: textOf(question) }
    }
    return { ...one, end: 'open', how: by === 'assumption' ? 'nobody was asked' : 'the person left it open' }
  })
}

/** One question to the person, and the contradictions that its answer decides. */
interface QuestionOn {
  about: string
  /** As the architect put it. */
  own?: PersonQuestion
  contradictions: [Contradiction, ...Contradiction[]]
}

/** Contradictions that the architect puts to the person by one question share it. */
function questionsOn(standing: readonly Contradiction[], proposed: ReadonlyMap<string, PersonQuestion>): QuestionOn[] {
  const questions: QuestionOn[] = []
  for (const one of standing) {
    const own = proposed.get(contradictionWords(one))
    const same = own && questions.find((other) => other.own && sameMatter(other.own.text, own.text))
    if (same) same.contradictions.push(one)
    else questions.push({ about: own?.text ?? one.matter, ...(own ? { own } : {}), contradictions: [one] })
  }
  return questions
}

const leave = 'carry it as a risk'

/** An answer, with what the architect's options tell of it. */
function choiceMade(answer: string, question: PersonQuestion | undefined): Choice {
  const options = question?.options ?? []
  const index = question ? optionsOf(options).findIndex(({ choice }) => isChoice(answer, choice)) : -1
  const chosen = options[index]
  if (!chosen) return { answer }
  const others = options.filter((one) => one !== chosen)
  const told = chosen.as_designed === true || (others.length === 1 && others[0]!.as_designed === true)
  return {
    answer,
    heldBy: chosen.held_by ?? [],
    others: others.flatMap(({ held_by = [] }) => held_by),
    ...(told ? { asDesigned: chosen.as_designed === true } : {}),
  }
}

/** What the architect said of contradictions that it did not settle. */
function backgroundOf(why: readonly string[]): { background?: string } {
  const reasons = [...new Set(why)].map((one) => `The architect left it open: ${oneLine(one, 400)}`)
  return reasons.length === 0 ? {} : { background: reasons.join('\n') }
}

export function contradictionWords({ matter, first, second }: Contradiction): string {
  const side = ({ where, says }: Contradiction['first']) => `${oneLine(where, 60)} says “${oneLine(says, 200)}”`
  return `${oneLine(matter, 200)}: ${side(first)}, ${side(second)}`
}
