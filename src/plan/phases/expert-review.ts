/** Phase 6b: experts review the design. Confident findings decide; the others are kept as advice. RV. */
import { findingsToAmend } from '../../rules/plan/amendment.ts'
import { type Finding, type OverriddenVerdict, override, type ReviewVerdict, review } from '../../rules/plan/review.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { reviewDecided } from '../events.ts'
import { addFlags, countFailure, countSuccess, emit, eventHeader, type Phase } from '../plan.ts'
import { type Amended, amend } from '../team/amend.ts'
import { askUser, askUserWithSource, decidedBy, type UserAnswer, type UserQuestion } from '../team/ask-user.ts'
import { decisionSection, flat, type PhaseResult } from '../team/phase-result.ts'
import { askReviewers, type ReviewerFindings } from '../team/reviewers.ts'
import { failIfParallel } from '../team/synthesise.ts'
import { castFor } from '../team/teamwork.ts'
import { counted, findingWords, listSection, turnout } from '../wording.ts'
import { validationPoints } from './validation.ts'

export type ReviewEnd = { kind: 'go-on' } | { kind: 'redesign'; why: string }

export async function expertReview(phase: Phase): Promise<PhaseResult & { end: ReviewEnd }> {
  const { plan, settings } = phase
  const { strategy, override: why } = castFor(phase).choice
  const played = { strategy, ...(why ? { strategy_override: why } : {}) }
  const before = phase.summaryFlags
  for (let round = 1; ; round++) {
    const reviewed = await askReviewers(phase, round)
    if (reviewed.answered === 0) {
      if (!(await isGivenUp(phase))) continue
      addFlags(phase, 'degraded', 'review_skipped')
      return { ...skipped(reviewed, played, await amendDesign(phase)), end: { kind: 'go-on' } }
    }
    countSuccess(phase, 'expert_review')
    const missing = reviewed.answered < reviewed.reviewers
    if (missing) addFlags(phase, 'degraded')
    // Everybody has answered now: drop the flags of an earlier round.
    else phase.summaryFlags = before
    // Counts every time the design came back, not only the rounds of this pass.
    const iteration = (plan.returns.get('6b') ?? 0) + round
    const verdict = review(reviewed.findings, iteration, missing, settings.review)
    const decided = await decide(phase, verdict, reviewed, iteration)
    if (decided.kind === 'more-context') continue
    const amended = decided.end.kind === 'redesign' ? null : await amendDesign(phase, decided)
    return { ...resultOf(phase, decided, reviewed, played, amended), end: decided.end }
  }
}

/** Without any review there is no outcome; a person decides whether to continue. */
async function isGivenUp(phase: Phase): Promise<boolean> {
  failIfParallel(phase, 'no reviewer answered')
  if ((await countFailure(phase, 'expert_review')) === 'retry') return false
  const said = await askUser(phase, {
    text: 'None of the expert reviewers answered: the design has not been reviewed. How should the plan continue?',
    options: [
      { choice: 'retry', follows: 'the reviewers are asked again' },
      { choice: 'go on without', follows: 'nobody reviews the design, and the plan says so' },
    ],
    assume: { answer: 'go on without', words: 'continued without an expert review' },
    again: ['retry'],
  })
  return said !== 'retry'
}

type Decided =
  /** `said`: who accepted the risk, if anybody did. */
  | { kind: 'decided'; verdict: ReviewVerdict | OverriddenVerdict; end: ReviewEnd; said?: UserAnswer }
  | { kind: 'more-context' }

async function decide(
  phase: Phase,
  verdict: ReviewVerdict,
  reviewed: ReviewerFindings,
  iteration: number,
): Promise<Decided> {
  if (verdict.outcome !== 'fail') {
    await emitVerdict(phase, verdict, reviewed, iteration)
    return { kind: 'decided', verdict, end: { kind: 'go-on' } }
  }
  const critical = verdict.blocking.map((finding) => findingWords(finding, longestFinding)).join('; ')
  const mustDecide = verdict.action === 'decide'
  const turn = reviewed.asks.at(-1)
  const answer = await askUserWithSource(phase, {
    ...questionAbout(verdict.blocking),
    options: mustDecide ? [overrides, redesigns] : [redesigns, overrides, addsContext],
    assume: { answer: 'override', words: 'overridden, with the risk carried into the tasks' },
    again: ['redesign', 'more context'],
    ...(turn === undefined ? {} : { turn }),
    context: { findings: verdict.blocking, iteration },
  })
  const said = answer.answer
  if (said === 'override') {
    const overridden = override(verdict)
    addFlags(phase, 'review_overridden')
    await emitVerdict(phase, overridden, reviewed, iteration)
    return { kind: 'decided', verdict: overridden, end: { kind: 'go-on' }, said: answer }
  }
  await emitVerdict(phase, verdict, reviewed, iteration)
  if (said === 'redesign') return { kind: 'decided', verdict, end: { kind: 'redesign', why: critical } }
  // RV3: in the last round free text does not avoid the decision; it guides the redesign.
  if (mustDecide)
    return { kind: 'decided', verdict, end: { kind: 'redesign', why: `${critical}. The person says: ${said}` } }
  await takeContext(phase, answer, turn)
  return { kind: 'more-context' }
}

/** The titles, and above the options what the findings say, to its end: it may name the alternatives. */
function questionAbout(critical: readonly Finding[]): Pick<UserQuestion, 'text' | 'background'> {
  const titles = critical.map(({ title, ...rest }) => (title ? oneLine(String(title), 200) : findingWords(rest)))
  const told = critical.filter(({ title, detail }) => title && detail)
  const details = told.map(({ title, ...rest }) => {
    return findingWords(critical.length > 1 ? { title, ...rest } : rest, longestFinding)
  })
  return {
    text: `The expert review found ${counted(critical.length, 'critical problem')}: ${titles.join('; ')}`,
    ...(details.length > 0 ? { background: details.join('\n') } : {}),
  }
}

const longestFinding = 2000

const redesigns = {
  choice: 'redesign',
  follows: 'the architects design again with this in mind, and phases 4 to 6b are repeated',
}
const overrides = { choice: 'override', follows: 'the design stays as it is, and what was found is carried as a risk' }
const addsContext = { choice: 'more context', follows: 'you say what the reviewers do not know, and they review again' }

/** RV4: one pass for the MAJOR findings and the dissents of a YELLOW validation. */
async function amendDesign(phase: Phase, decided?: Extract<Decided, { kind: 'decided' }>): Promise<Amended | null> {
  const verdict = decided?.verdict
  const overridden = verdict && 'overridden' in verdict ? verdict.overridden : []
  const findings = findingsToAmend(verdict?.carried ?? [], overridden)
  const points = [
    ...findings.map((finding) => ({
      by: typeof finding.by === 'string' ? finding.by : 'expert review',
      text: [finding.title, finding.detail].filter((one) => typeof one === 'string' && one !== '').join(': '),
      severity: finding.severity === 'CRITICAL' ? ('CRITICAL' as const) : ('MAJOR' as const),
    })),
    ...validationPoints(phase.plan.summaries.get('6') ?? {}),
  ]
  if (points.length === 0) return null
  const after = { decisions: overridden.length, risks: overridden.length }
  return amend(phase, { points, files: ['design.md'], source: 'The review of the design', after })
}

/** Free text is the context; after the choice `more context` the person is asked for it. */
async function takeContext(phase: Phase, { answer, by, asked }: UserAnswer, turn: string | undefined): Promise<void> {
  const { clarifications } = phase.plan
  const round = clarifications.filter((one) => one.phase === '6b').length + 1
  // The context of each round is a separate answer.
  const text = `What should the expert reviewers know before they look again?${round > 1 ? ` (${round})` : ''}`
  if (answer === 'more context') {
    const link = turn === undefined ? {} : { turn }
    const assume = { answer: '', words: 'nothing was added' }
    await askUser(phase, { text, assume, remember: true, ...link })
    return
  }
  const link = asked === undefined ? {} : { asked }
  clarifications.push({ phase: '6b', question: text, answer, ...link, ...(by === 'file' ? { fromFile: true } : {}) })
}

async function emitVerdict(
  { plan, run }: Phase,
  verdict: ReviewVerdict | OverriddenVerdict,
  { answered, reviewers, missing }: ReviewerFindings,
  iteration: number,
) {
  const overridden = 'overridden' in verdict ? verdict.overridden : []
  const about = { ...verdict, iteration, overridden, answered, reviewers, missing }
  await emit(run, reviewDecided.create(eventHeader(plan, run), about as never))
}

function resultOf(
  phase: Phase,
  { verdict, said }: Extract<Decided, { kind: 'decided' }>,
  reviewed: ReviewerFindings,
  played: PhaseResult['more'],
  amended: Amended | null,
): PhaseResult {
  const overridden = 'overridden' in verdict ? verdict.overridden : []
  const ids = (letter: string, index: number) => `${letter}6b${phase.pass > 1 ? `.${phase.pass}` : ''}-${index + 1}`
  // What was not put to the architect is carried as it is.
  const accepted = amended ? verdict.carried.filter((one) => overridden.includes(one)) : verdict.carried
  const carriedOn = accepted.map((finding, index) => ({
    id: ids('R', index),
    risk: findingWords(finding),
    severity: finding.severity,
  }))
  const risks = [...carriedOn, ...(amended?.risks ?? [])]
  const byPerson = overridden.map((finding, index) => ({
    id: ids('D', index),
    decision: `Continue despite: ${flat(findingWords(finding))}`,
    rationale: decidedBy[said?.by ?? 'person'],
    confidence: 'HIGH' as const,
    ...(said?.asked === undefined ? {} : { ask: said.asked }),
  }))
  const decisions = [...byPerson, ...(amended?.decisions ?? [])]
  const answered = `${reviewed.answered} of ${reviewed.reviewers}`
  const standing = `Outcome: **${verdict.outcome.replaceAll('_', ' ')}** (${turnout(`${answered} reviewers`, reviewed.missing)}).`
  const body = [
    standing,
    listSection(
      'Critical',
      verdict.blocking.map((one) => findingWords(one)),
    ),
    listSection(
      'Overridden',
      overridden.map((one) => findingWords(one)),
    ),
    listSection(
      'Carried as risks',
      accepted.map((one) => findingWords(one)),
    ),
    amended?.section ?? '',
    listSection(
      'Noted',
      verdict.noted.map((one) => findingWords(one)),
    ),
    listSection(
      'Advisory (below the confidence that counts)',
      verdict.advisory.map((one) => findingWords(one)),
    ),
    decisionSection({ ...amended, decisions, questions: [], risks }),
  ]
  const settled = amended ? ` ${settledWords(amended)}` : ''
  return {
    title: 'Expert review',
    body: body.filter(Boolean).join('\n\n'),
    text: `${standing}${settled} ${risks.map(({ risk }) => risk).join('; ')}`.trim().slice(0, 1500),
    decisions,
    questions: [],
    risks,
    more: { ...played, outcome: verdict.outcome, answered, missing: reviewed.missing },
  }
}

function settledWords({ outcome: { settled, open, decided } }: Amended): string {
  const all = counted(settled.length + open.length + decided.length, 'point')
  const byPerson = decided.length > 0 ? `, ${decided.length} decided by the person` : ''
  return `${settled.length} of ${all} settled by an amendment${byPerson}.`
}

function skipped(
  { reviewers, missing }: ReviewerFindings,
  played: PhaseResult['more'],
  amended: Amended | null,
): PhaseResult {
  const text = `No outcome: 0 of ${reviewers} reviewers answered, so the design has not been reviewed by experts. Missing: ${missing.join(', ')}.`
  const more = { ...played, status: 'skipped' as const, answered: `0 of ${reviewers}`, missing }
  const { decisions = [], risks = [] } = amended ?? {}
  const body = [text, amended?.section ?? '', amended ? decisionSection(amended) : ''].filter(Boolean).join('\n\n')
  return { title: 'Expert review', body, text, decisions, questions: [], risks, more }
}
