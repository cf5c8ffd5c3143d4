/** Red team: one agent proposes, one challenges, one defends, in this order. ST1. */
import type { Cast } from '../../rules/plan/preset.ts'
import { strategyRounds } from '../../rules/plan/strategy-table.ts'
import { quoted } from '../artefacts.ts'
import { addFlags, countFailure, countSuccess, type Phase } from '../plan.ts'
import { type PlanFinding, readFindings, readOutput } from '../replies.ts'
import { findingWords } from '../wording.ts'
import { askMember } from './ask-member.ts'
import { agentOf, askMembers, type Member, recordReplies } from './ask-members.ts'
import type { TeamOutput, TeamTask } from './teamwork.ts'

export async function debate(
  phase: Phase,
  cast: Extract<Cast, { strategy: 'red_team' }>,
  work: TeamTask,
): Promise<TeamOutput> {
  const [propose, challenge, defend] = strategyRounds.red_team
  const expected = 3
  const [proposal] = await askMembers(phase, [cast.proposer], 1, () => ({
    task: `${work.task}\n\n${propose!.task}`,
    acceptance: work.acceptance,
  }))
  const defence = `${cast.proposer} (defence)`
  if (!proposal) return { members: [], expected, missing: [cast.proposer, cast.challenger, defence], round: 1 }
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
    await recordReplies(phase, 2, [{ role: cast.challenger, agent, reason: attack.reason }])
    await countFailure(phase, 'red_team')
    addFlags(phase, 'debate_incomplete')
    return { members: [proposal], expected, missing: [cast.challenger, defence], round: 1 }
  }
  const flaws = readFindings(attack.text)
  if (!flaws) addFlags(phase, 'unstructured_challenge')
  const challenged: Member = {
    role: cast.challenger,
    agent,
    output: flaws ? { text: listed(flaws), positions: [] } : readOutput(attack.text),
    ask: attack.ask,
  }
  await recordReplies(phase, 2, [challenged])
  const answer = await askMember(phase, {
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
  const section = `## Challenge\n\n${flaws ? listed(flaws) : inProse(challenged.output.text)}`
  if (!answer.ok) {
    await recordReplies(phase, 3, [{ role: cast.proposer, agent: proposal.agent, reason: answer.reason }])
    await countFailure(phase, 'red_team')
    addFlags(phase, 'debate_incomplete')
    return { members: [proposal, challenged], expected, missing: [defence], round: 2, section }
  }
  countSuccess(phase, 'red_team')
  const defended = { role: defence, agent: proposal.agent, output: readOutput(answer.text), ask: answer.ask }
  await recordReplies(phase, 3, [defended])
  return { members: [proposal, challenged, defended], expected, missing: [], round: 3, section }
}

function listed(flaws: readonly PlanFinding[]): string {
  return flaws.length === 0
    ? 'No flaw was found.'
    : flaws.map((flaw) => `- **${flaw.severity}** ${findingWords(flaw)}`).join('\n')
}

/** A challenge in prose instead of a list of flaws: quoted, with the ratings it names. */
function inProse(text: string): string {
  const named = ['CRITICAL', 'MAJOR', 'MINOR'].filter((severity) => new RegExp(`\\b${severity}\\b`, 'i').test(text))
  const rated = named.length > 0 ? `names ${named.join(', ')}` : 'no flaw is rated'
  return `_Given in plain words, not as a list of flaws; ${rated}._\n\n${quoted(text)}`
}
