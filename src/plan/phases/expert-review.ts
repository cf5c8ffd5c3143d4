/** Phase 6b: experts look for what is wrong; what they are sure of decides, what they suspect is kept as advice. RV. */

import { override, type ReviewVerdict, review } from '../../rules/review.ts'
import { agentFor, askMember } from '../ask-member.ts'
import { askUser } from '../ask-user.ts'
import { memberMissing, reviewDecided } from '../events.ts'
import { decisionSection, type PhaseResult } from '../phase-result.ts'
import { countFailure, countSuccess, note, type Phase, placeOf } from '../plan.ts'
import { findingsSchema, type PlanFinding } from '../replies.ts'
import { castOf } from '../teamwork.ts'

export type ReviewEnd = { kind: 'go-on' } | { kind: 'redesign'; why: string }

export async function expertReview(phase: Phase): Promise<PhaseResult & { end: ReviewEnd }> {
  const { plan, flags } = phase
  const reviewers = [...new Set(plan.team.agents['6b'])]
  const { confidence_threshold, max_review_iterations } = plan.around.settings.expert_review
  const gated = flags.has('s13_confidence_gated_review')
  const limits = { confidence_threshold: gated ? confidence_threshold : 0, max_review_iterations }
  for (let round = 1; ; round++) {
    const heard = await hearReviewers(phase, reviewers, round)
    const missing = heard.answered < reviewers.length
    if (missing) note(phase, 'degraded')
    // Every time the design came back counts, not only the rounds of this visit.
    const iteration = (plan.returns.get('6b') ?? 0) + round
    const verdict = review(heard.findings, iteration, missing, limits)
    const decided = await decide(phase, verdict, heard.answered, reviewers.length, iteration)
    if (decided.kind !== 'more-context')
      return { ...resultOf(phase, decided.verdict, heard.answered, reviewers.length), end: decided.end }
  }
}

type Decided = { kind: 'decided'; verdict: ReviewVerdict; end: ReviewEnd } | { kind: 'more-context' }

async function decide(
  phase: Phase,
  verdict: ReviewVerdict,
  answered: number,
  reviewers: number,
  iteration: number,
): Promise<Decided> {
  if (verdict.outcome !== 'fail') {
    await tell(phase, verdict, [], answered, reviewers, iteration)
    return { kind: 'decided', verdict, end: { kind: 'go-on' } }
  }
  const critical = verdict.blocking.map(words).join('; ')
  const mustDecide = verdict.action === 'decide'
  const said = await askUser(phase, {
    text: `The expert review found ${verdict.blocking.length} critical ${verdict.blocking.length === 1 ? 'problem' : 'problems'}: ${critical}`,
    choices: mustDecide ? ['override', 'redesign'] : ['redesign', 'override', 'more context'],
    assume: { answer: 'override', words: 'overridden, with the risk carried into the tasks' },
    context: { findings: verdict.blocking, iteration },
  })
  if (said === 'override') {
    const overridden = override(verdict)
    note(phase, 'review_overridden')
    await tell(phase, overridden, overridden.overridden, answered, reviewers, iteration)
    return { kind: 'decided', verdict: overridden, end: { kind: 'go-on' } }
  }
  await tell(phase, verdict, [], answered, reviewers, iteration)
  if (said === 'redesign') return { kind: 'decided', verdict, end: { kind: 'redesign', why: critical } }
  // What they said is in the clarifications, and so in the next round's material.
  return { kind: 'more-context' }
}

interface Heard {
  findings: PlanFinding[]
  answered: number
}

/** All at once; or, as a debate, one after the other: the second challenges what the first has found. */
async function hearReviewers(phase: Phase, reviewers: readonly string[], round: number): Promise<Heard> {
  const { cast } = castOf(phase)
  if (cast.strategy !== 'red_team') {
    const heard = await Promise.all(reviewers.map((role) => hearOne(phase, reviewers, role, round, [])))
    return joined(phase, round, heard)
  }
  const order = [
    cast.proposer,
    cast.challenger,
    ...reviewers.filter((role) => role !== cast.proposer && role !== cast.challenger),
  ]
  const heard: Answer[] = []
  for (const [index, role] of order.entries()) {
    const before = heard.flatMap(({ role: other, text }) => (text === null ? [] : [{ role: other, text }]))
    const answer = await hearOne(phase, reviewers, role, round + index, before)
    if (answer.text === null) await countFailure(phase, 'red_team')
    else countSuccess(phase, 'red_team')
    heard.push(answer)
  }
  return joined(phase, round, heard)
}

interface Answer {
  role: string
  agent: string
  text: string | null
  findings: PlanFinding[]
  reason: string
}

async function hearOne(
  phase: Phase,
  reviewers: readonly string[],
  role: string,
  round: number,
  others: { role: string; text: string }[],
): Promise<Answer> {
  const { plan } = phase
  const agent = agentFor(plan.around.reviewers(), Math.max(0, reviewers.indexOf(role)))
  const said = plan.clarifications.slice(-5).map(({ question, answer }) => `- ${question} ${answer}`)
  const challenge =
    others.length > 0
      ? ' Challenge what was found before you as well: what is missing, what is wrong, what is harmless.'
      : ''
  const answer = await askMember(phase, {
    kind: 'review',
    agent,
    role,
    round,
    task: `Review the design.${challenge} Rate every finding CRITICAL, MAJOR or MINOR, and how sure you are, 0 to 100.`,
    acceptance: ['Every finding says what would happen and where', 'What is fine is not listed'],
    form: 'findings of a review',
    others,
    ...(said.length > 0 ? { note: `The person has said:\n${said.join('\n')}` } : {}),
    schema: findingsSchema,
  })
  if (!answer.ok) return { role, agent: agent.name, text: null, findings: [], reason: answer.reason }
  const findings = answer.value.findings.map((finding) => ({ ...finding, by: finding.by ?? role }))
  return { role, agent: agent.name, text: answer.text, findings, reason: '' }
}

async function joined({ plan, run }: Phase, round: number, heard: readonly Answer[]): Promise<Heard> {
  for (const { role, agent, text, reason } of heard) {
    if (text !== null) continue
    await run.append(memberMissing.create(placeOf(plan, run), { phase: '6b', round, role, agent, reason }))
  }
  return {
    findings: heard.flatMap(({ findings }) => findings),
    answered: heard.filter(({ text }) => text !== null).length,
  }
}

async function tell(
  phase: Phase,
  verdict: ReviewVerdict,
  overridden: unknown[],
  answered: number,
  reviewers: number,
  iteration: number,
) {
  const { outcome, action, blocking, carried, noted, advisory, degraded } = verdict
  const about = {
    iteration,
    outcome,
    action,
    blocking,
    carried,
    noted,
    advisory,
    overridden,
    degraded,
    answered,
    reviewers,
  }
  await phase.run.append(reviewDecided.create(placeOf(phase.plan, phase.run), about as never))
}

function resultOf(phase: Phase, verdict: ReviewVerdict, answered: number, reviewers: number): PhaseResult {
  const part = (title: string, findings: ReviewVerdict['blocking']) =>
    findings.length === 0 ? '' : `## ${title}\n\n${findings.map((finding) => `- ${words(finding)}`).join('\n')}`
  const risks = verdict.carried.map((finding, index) => ({
    id: `R6b${phase.pass > 1 ? `.${phase.pass}` : ''}-${index + 1}`,
    risk: words(finding),
    severity: finding.severity,
  }))
  const standing = `Outcome: **${verdict.outcome}** (${answered} of ${reviewers} reviewers answered).`
  const body = [
    standing,
    part('Critical', verdict.blocking),
    part('Carried as risks', verdict.carried),
    part('Noted', verdict.noted),
    part('Advisory (below the confidence that counts)', verdict.advisory),
    decisionSection({ decisions: [], questions: [], risks }),
  ]
  return {
    title: 'Expert review',
    body: body.filter(Boolean).join('\n\n'),
    text: `${standing} ${verdict.carried.map(words).join('; ')}`.slice(0, 1500),
    decisions: [],
    questions: [],
    risks,
    more: { outcome: verdict.outcome },
  }
}

function words(finding: { [extra: string]: unknown }): string {
  const { title, detail, by, confidence } = finding
  const text = [title, detail].filter((one): one is string => typeof one === 'string' && one !== '').join(': ')
  const sure = typeof confidence === 'number' ? `, ${confidence} % sure` : ''
  return `${(text || 'no words given').replace(/\s+/g, ' ').slice(0, 400)}${typeof by === 'string' ? ` (${by}${sure})` : ''}`
}
