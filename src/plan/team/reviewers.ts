/** Hears the expert reviewers: all at once, or one after the other, where the second challenges the first. ST1, RV1. */

import { countFailure, countSuccess, note, type Phase } from '../plan.ts'
import { findingsSchema, type PlanFinding } from '../replies.ts'
import { answerItem, findingWords } from '../wording.ts'
import { askMember } from './ask-member.ts'
import { agentOf, record } from './ask-members.ts'
import { castOf } from './teamwork.ts'

export interface Reviewed {
  findings: PlanFinding[]
  answered: number
  reviewers: number
  /** Who did not answer, by name. */
  missing: string[]
  /** The turns that found something that counts, newest last. */
  asks: string[]
}

interface Answer {
  role: string
  agent: string
  ask: string
  /** Null where there was no answer. */
  text: string | null
  findings: PlanFinding[]
  reason: string
}

export async function hearReviewers(phase: Phase, round: number): Promise<Reviewed> {
  const reviewers = [...new Set(phase.settings.team.agents['6b'])]
  const { cast } = castOf(phase)
  const heard =
    cast.strategy === 'red_team'
      ? await inTurn(phase, [...new Set([cast.proposer, cast.challenger, ...reviewers])], round)
      : await Promise.all(reviewers.map((role) => hearOne(phase, role, round, [])))
  await record(
    phase,
    round,
    heard.map(({ role, agent, ask, text, findings, reason }) =>
      text === null
        ? { role, agent, reason }
        : { role, agent, ask, output: { text: inWords(findings), positions: [] } },
    ),
  )
  return {
    findings: heard.flatMap(({ findings }) => findings),
    answered: heard.filter(({ text }) => text !== null).length,
    reviewers: heard.length,
    missing: heard.flatMap(({ role, text }) => (text === null ? [role] : [])),
    asks: heard.flatMap(({ ask, findings }) => (findings.length > 0 ? [ask] : [])),
  }
}

async function inTurn(phase: Phase, order: readonly string[], round: number): Promise<Answer[]> {
  const heard: Answer[] = []
  for (const [index, role] of order.entries()) {
    const before = heard.flatMap(({ role: other, text }) => (text === null ? [] : [{ role: other, text }]))
    heard.push(await hearOne(phase, role, round + index, before))
  }
  if (heard.every(({ text }) => text !== null)) countSuccess(phase, 'red_team')
  else {
    note(phase, 'debate_incomplete')
    await countFailure(phase, 'red_team')
  }
  return heard
}

async function hearOne(
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
    task: `Review the design.${challenge} Rate every finding CRITICAL, MAJOR or MINOR, and how sure you are, 0 to 100.`,
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
