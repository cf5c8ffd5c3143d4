/** The red team: one proposes, one challenges, one defends, each after the other. ST1. */
import type { Cast } from '../rules/preset.ts'
import { strategyRounds } from '../rules/strategy-table.ts'
import { askMember } from './ask-member.ts'
import { agentOf, hearAll, type Member, record } from './hear.ts'
import { countFailure, countSuccess, note, type Phase } from './plan.ts'
import { type PlanFinding, readFindings, readOutput } from './replies.ts'
import type { Heard, TeamTask } from './teamwork.ts'
import { findingWords } from './wording.ts'

export async function debate(
  phase: Phase,
  cast: Extract<Cast, { strategy: 'red_team' }>,
  work: TeamTask,
): Promise<Heard> {
  const [propose, challenge, defend] = strategyRounds.red_team
  const expected = 3
  const [proposal] = await hearAll(phase, [cast.proposer], 1, () => ({
    task: `${work.task}\n\n${propose!.task}`,
    acceptance: work.acceptance,
  }))
  if (!proposal) return { members: [], expected }
  const agent = agentOf(phase, cast.challenger)
  const attack = await askMember(phase, {
    kind: 'review',
    agent,
    role: cast.challenger,
    round: 2,
    task: `${work.task}\n\n${challenge!.task}`,
    acceptance: ['Every flaw is rated CRITICAL, MAJOR or MINOR', 'Nothing is proposed instead'],
    form: 'findings of a review',
    others: [{ role: cast.proposer, text: proposal.output.text }],
  })
  if (!attack.ok) {
    await record(phase, 2, [{ role: cast.challenger, agent, reason: attack.reason }])
    await countFailure(phase, 'red_team')
    note(phase, 'debate_incomplete')
    return { members: [proposal], expected }
  }
  const flaws = readFindings(attack.text)
  const challenged: Member = {
    role: cast.challenger,
    agent,
    output: flaws ? { text: listed(flaws), positions: [] } : readOutput(attack.text),
    ask: attack.ask,
  }
  await record(phase, 2, [challenged])
  const defence = await askMember(phase, {
    kind: 'defend',
    agent: proposal.agent,
    role: cast.proposer,
    round: 3,
    task: `${work.task}\n\n${defend!.task}`,
    acceptance: ['Every flaw is answered'],
    form: 'a view of your own',
    others: [{ role: cast.challenger, text: challenged.output.text }],
    own: proposal.output.text,
  })
  if (!defence.ok) {
    await record(phase, 3, [{ role: cast.proposer, agent: proposal.agent, reason: defence.reason }])
    await countFailure(phase, 'red_team')
    note(phase, 'debate_incomplete')
    return { members: [proposal, challenged], expected, section: section(flaws) }
  }
  countSuccess(phase, 'red_team')
  const role = `${cast.proposer} (defence)`
  const defended = { role, agent: proposal.agent, output: readOutput(defence.text), ask: defence.ask }
  await record(phase, 3, [defended])
  return { members: [proposal, challenged, defended], expected, section: section(flaws) }
}

function listed(flaws: readonly PlanFinding[]): string {
  return flaws.length === 0
    ? 'No flaw was found.'
    : flaws.map((flaw) => `- **${flaw.severity}** ${findingWords(flaw)}`).join('\n')
}

function section(flaws: readonly PlanFinding[] | null): string {
  return flaws ? `## Challenge\n\n${listed(flaws)}` : ''
}
