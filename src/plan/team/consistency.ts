/** Compares the documents of a plan before it becomes issues, and has contradictions repaired once. RV5. */
import { dissentsToAmend } from '../../rules/plan/amendment.ts'
import { type Contradiction, needsSecondCheck, realContradictions, worthAsking } from '../../rules/plan/consistency.ts'
import type { IdentifiedRisk, KeyDecision } from '../../rules/plan/phase-summary.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { consistencyChecked } from '../events.ts'
import { addFlags, emit, eventHeader, type Phase } from '../plan.ts'
import { contradictionsSchema } from '../replies.ts'
import { listSection } from '../wording.ts'
import { amend, noteRulings } from './amend.ts'
import { agentFor, askMember } from './ask-member.ts'
import { askUserAll } from './ask-user.ts'
import { decisionSection, flat } from './phase-result.ts'

export interface Consistency {
  decisions: KeyDecision[]
  risks: IdentifiedRisk[]
  /** What the person ruled, for the prompt that follows. */
  rulings: string[]
  /** Markdown for the artefact. */
  section: string
}

const consistent: Consistency = { decisions: [], risks: [], rulings: [], section: '' }

/** `found`: contradictions that somebody has named already; otherwise the documents are compared first. */
export async function settleContradictions(phase: Phase, found?: readonly Contradiction[]): Promise<Consistency> {
  const { plan } = phase
  const first = found ? realContradictions(found) : await compare(phase, 1)
  const coverage = found ? [] : dissentsToAmend(plan.summaries.get('8') ?? {})
  const contradictions = first ?? []
  if (contradictions.length + coverage.length === 0) return consistent
  const amended = await amend(phase, {
    points: [
      ...contradictions.map((one) => ({ by: 'consistency check', text: inWords(one), severity: 'MAJOR' as const })),
      ...coverage.map((text) => ({ by: 'coverage panel', text, severity: 'MAJOR' as const })),
    ],
    files: ['design.md', 'test-plan.md'],
    source: 'Comparing the documents of the plan',
  })
  const { decisions, risks, section } = amended
  phase.renew({ key_decisions: decisions, risks_identified: risks })
  const unsettled = new Set(amended.outcome.open.map(({ point }) => point.text))
  const second = needsSecondCheck(decisions) ? await compare(phase, 2) : null
  const open = second ?? contradictions.filter((one) => unsettled.has(inWords(one)))
  const ruled = await askPerson(phase, open)
  await noteRulings(phase, ruled)
  const settled = new Set(ruled.map(({ text }) => text))
  const left = open.filter((one) => !settled.has(inWords(one)))
  if (left.length > 0) addFlags(phase, 'contradictory')
  const prefix = `R${phase.id}${phase.pass > 1 ? `.${phase.pass}` : ''}`
  const isAbout = (text: string) => (risk: IdentifiedRisk) => risk.risk.startsWith(flat(text))
  const kept = risks.filter((risk) => !ruled.some(({ text }) => isAbout(text)(risk)))
  // The second comparison counts, whatever the architect called settled.
  const standing = left.filter((one) => !kept.some(isAbout(inWords(one))))
  const carried = [
    ...kept,
    ...standing.map((one, index) => ({
      id: `${prefix}-${risks.length + index + 1}`,
      risk: inWords(one),
      severity: 'MAJOR',
      mitigation: 'the documents of the plan contradict each other',
    })),
  ]
  return {
    decisions,
    risks: carried,
    rulings: ruled.map(({ ruling }) => ruling),
    section: [
      listSection('Contradictions found', contradictions.map(inWords)),
      section,
      listSection('Contradictions that stand', left.map(inWords)),
      decisionSection({ ...amended, risks: carried }),
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

/** Null if nobody could compare them. */
async function compare(phase: Phase, round: number): Promise<Contradiction[] | null> {
  const { plan, run, id, settings } = phase
  const answer = await askMember(phase, {
    kind: 'review',
    agent: agentFor(settings.staff.reviewers, 0),
    role: 'consistency-checker',
    round,
    task: 'Compare the specification, the design, the test plan and the decisions with each other. List every pair of statements about one matter that cannot both hold. A gap, a risk or a matter of taste is no contradiction.',
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

/** Asks about what the architect could not settle, all at once, and never about a matter that was asked before. */
async function askPerson(
  phase: Phase,
  open: readonly Contradiction[],
): Promise<{ text: string; ruling: string; files: string[] }[]> {
  const { plan } = phase
  const asked = plan.clarifications.flatMap(({ question, about }) => [question, ...(about ? [about] : [])])
  const questions = worthAsking(open, asked)
  if (questions.length === 0) return []
  const leave = 'carry it as a risk'
  const answers = await askUserAll(
    phase,
    questions.map(({ matter, first, second }) => ({
      text: `The plan contradicts itself: ${oneLine(matter, 200)}`,
      about: matter,
      options: [first, second].map(({ where, says }) => ({ choice: oneLine(says, 120), heldBy: [where] })),
      assume: { answer: leave, words: 'carried as a risk' },
      remember: true,
      leaves: leave,
      context: { contradiction: { matter, first, second } },
    })),
  )
  return questions.flatMap((one, index) => {
    const { answer } = answers[index]!
    const files = [one.first.where, one.second.where]
    return answer === leave ? [] : [{ text: inWords(one), ruling: `${oneLine(one.matter, 200)} → ${answer}`, files }]
  })
}

function inWords({ matter, first, second }: Contradiction): string {
  const side = ({ where, says }: Contradiction['first']) => `${oneLine(where, 60)} says “${oneLine(says, 200)}”`
  return `${oneLine(matter, 200)}: ${side(first)}, ${side(second)}`
}
