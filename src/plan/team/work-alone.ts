/** A team of one: its reply is the result, without a synthesis. ST6. */
import { strategyRounds } from '../../rules/plan/strategy-table.ts'
import { addFlags, type Phase } from '../plan.ts'
import { readSynthesis, type Synthesis } from '../replies.ts'
import { askMember } from './ask-member.ts'
import { agentOf, recordReplies } from './ask-members.ts'
import type { TeamOutput, TeamTask } from './teamwork.ts'

/** `synthesis` is absent if the agent did not answer. */
export async function workAlone(
  phase: Phase,
  role: string,
  work: TeamTask,
): Promise<TeamOutput & { synthesis?: Synthesis; ask?: string }> {
  const agent = agentOf(phase, role)
  const answer = await askMember(phase, {
    kind: 'phase',
    agent,
    role,
    round: 1,
    task: `${work.task}\n\n${strategyRounds.quick[0]!.task}\nHeadings of the artefact: ${work.headings.join(', ')}.`,
    acceptance: work.acceptance,
    form: 'a synthesis',
  })
  const synthesis = answer.ok ? readSynthesis(answer.text) : null
  if (!answer.ok || !synthesis || synthesis.artefact.trim() === '') {
    const reason = answer.ok ? 'the reply is empty' : answer.reason
    await recordReplies(phase, 1, [{ role, agent, reason }])
    return { members: [], expected: 1, missing: [role], round: 1 }
  }
  if (!synthesis.structured) addFlags(phase, 'unstructured_synthesis')
  const member = { role, agent, ask: answer.ask, output: { text: synthesis.artefact, positions: [] } }
  await recordReplies(phase, 1, [member])
  return { members: [member], expected: 1, missing: [], round: 1, synthesis, ask: answer.ask }
}
