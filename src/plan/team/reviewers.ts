/** Asks the expert reviewers: all at once, or one after the other so that each challenges the ones before. ST1, RV1. */

import {
  findingId,
  groupFaults,
  isGraveFinding,
  joinFindings,
  needsJoining,
  weighFindings,
} from '../../rules/plan/joined-findings.ts'
import { addFlags, countFailure, countSuccess, type Phase } from '../plan.ts'
import { findingGroupsSchema, findingsSchema, type PlanFinding, weighedSchema } from '../replies.ts'
import { answerItem, findingWords } from '../wording.ts'
import { askMember } from './ask-member.ts'
import { agentOf, recordReplies } from './ask-members.ts'
import { castFor } from './teamwork.ts'

export interface ReviewerFindings {
  findings: PlanFinding[]
  answered: number
  reviewers: number
  /** Names of those who did not answer. */
  missing: string[]
  /** The asks that returned findings, newest last. */
  asks: string[]
}

interface Answer {
  role: string
  agent: string
  ask: string
  /** Null if there was no answer. */
  text: string | null
  findings: PlanFinding[]
  reason: string
}

export async function askReviewers(phase: Phase, round: number): Promise<ReviewerFindings> {
  const reviewers = [...new Set(phase.settings.team.agents['6b'])]
  const { cast } = castFor(phase)
  const answers =
    cast.strategy === 'red_team'
      ? await inTurn(phase, [...new Set([cast.proposer, cast.challenger, ...reviewers])], round)
      : await Promise.all(reviewers.map((role) => askReviewer(phase, role, round, [])))
  await recordReplies(
    phase,
    round,
    answers.map(({ role, agent, ask, text, findings, reason }) =>
      text === null
        ? { role, agent, reason }
        : { role, agent, ask, output: { text: inWords(findings), positions: [] } },
    ),
  )
  const joined = await joinSame(
    phase,
    answers.flatMap(({ findings }) => findings),
  )
  const findings = cast.strategy === 'red_team' ? await weigh(phase, joined, round + answers.length) : joined
  return {
    findings,
    answered: answers.filter(({ text }) => text !== null).length,
    reviewers: answers.length,
    missing: answers.flatMap(({ role, text }) => (text === null ? [role] : [])),
    asks: answers.flatMap(({ ask, findings }) => (findings.length > 0 ? [ask] : [])),
  }
}

/** RV6: one ask says which findings of different reviewers mean the same; without an answer each counts alone. */
async function joinSame(phase: Phase, findings: readonly PlanFinding[]): Promise<PlanFinding[]> {
  if (!needsJoining(findings)) return [...findings]
  const schema = findingGroupsSchema.superRefine(({ same }, context) => {
    const faults = groupFaults(same, findings)
    if (faults.length > 0) context.addIssue({ code: 'custom', message: faults.join('; ') })
  })
  const answer = await askMember(phase, {
    kind: 'align',
    agent: phase.settings.staff.coordinator,
    round: 0,
    task: `Several reviewers found this:\n${findings.map(listed).join('\n')}\n\nWhich of them mean the same flaw, in whatever words? Findings about one place that need different repairs are different.`,
    acceptance: ['Each group has two findings or more', 'A finding that stands alone is in no group'],
    form: 'groups of findings',
    schema,
    optional: true,
  })
  return answer.ok ? (joinFindings(findings, answer.value.same) as PlanFinding[]) : [...findings]
}

/** ST1, RV4: in a debate the coordinator weighs the challenge against the defence; findings that it does not rate stand. */
async function weigh(phase: Phase, findings: readonly PlanFinding[], round: number): Promise<PlanFinding[]> {
  if (!findings.some(isGraveFinding)) return [...findings]
  const answer = await askMember(phase, {
    kind: 'defend',
    agent: phase.settings.staff.coordinator,
    round,
    task: `The reviewers found this, each challenging those before:\n${findings.map(listed).join('\n')}\n\nWeigh every challenge against what speaks for the design, and rate each finding as it then stands. NONE means that the design answers it already; say where.`,
    acceptance: [
      'Every rating has a reason from the material',
      'A finding is not lowered because its repair is costly',
    ],
    form: 'weighed findings',
    schema: weighedSchema,
    optional: true,
  })
  if (!answer.ok) addFlags(phase, 'findings_not_weighed')
  return answer.ok ? (weighFindings(findings, answer.value.findings) as PlanFinding[]) : [...findings]
}

function listed(finding: PlanFinding, index: number): string {
  return `- ${findingId(index)} ${finding.severity}: ${findingWords(finding)}`
}

async function inTurn(phase: Phase, order: readonly string[], round: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const [index, role] of order.entries()) {
    const before = answers.flatMap(({ role: other, text }) => (text === null ? [] : [{ role: other, text }]))
    answers.push(await askReviewer(phase, role, round + index, before))
  }
  if (answers.every(({ text }) => text !== null)) countSuccess(phase, 'red_team')
  else {
    addFlags(phase, 'debate_incomplete')
    await countFailure(phase, 'red_team')
  }
  return answers
}

async function askReviewer(
  phase: Phase,
  role: string,
  round: number,
  others: { role: string; text: string }[],
): Promise<Answer> {
  const agent = agentOf(phase, role)
  const said = phase.plan.clarifications
    .filter(({ phase: where }) => where === '6b')
    .map(({ question, answer }) => `- ${answerItem(question, answer)}`)
  const challenge =
    others.length > 0
      ? ' Challenge what was found before you as well: what is missing, what is wrong, what is harmless.'
      : ''
  const answer = await askMember(phase, {
    kind: 'review',
    agent,
    role,
    round,
    task: `Review the design.${challenge}`,
    acceptance: ['Every finding says what would happen and where', 'What is fine is not listed'],
    form: 'findings of a review',
    others,
    ...(said.length > 0 ? { note: `The person has said:\n${said.join('\n')}` } : {}),
    schema: findingsSchema,
  })
  const { ask } = answer
  if (!answer.ok) return { role, agent, ask, text: null, findings: [], reason: answer.reason }
  const findings = answer.value.findings.map((finding) => ({ ...finding, by: finding.by ?? role }))
  return { role, agent, ask, text: answer.text, findings, reason: '' }
}

function inWords(findings: readonly PlanFinding[]): string {
  return findings.length > 0 ? findings.map((one) => `- ${findingWords(one)}`).join('\n') : 'Nothing was found.'
}
