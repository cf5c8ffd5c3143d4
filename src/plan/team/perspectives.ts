/** Asks several agents for their perspective on a task, optionally in a second round that shows them each other's drafts. ST1, ST5. */
import { isOpen } from '../../rules/plan/breaker.ts'
import { defaultDeliberationLimits, deliberate, inShort, roundTwoCalls } from '../../rules/plan/deliberation.ts'
import type { Cast } from '../../rules/plan/preset.ts'
import { strategyRounds } from '../../rules/plan/strategy-table.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { addFlags, countFailure, countSuccess, type Phase } from '../plan.ts'
import { readOutput } from '../replies.ts'
import { askMember } from './ask-member.ts'
import { askMembers, type Member } from './ask-members.ts'
import type { TeamOutput, TeamTask } from './teamwork.ts'

export async function gatherPerspectives(
  phase: Phase,
  cast: Exclude<Cast, { strategy: 'red_team' }>,
  work: TeamTask,
): Promise<TeamOutput> {
  const { plan, settings } = phase
  const [first] = strategyRounds[cast.strategy]
  const task = `${work.task}\n\n${first!.task}`
  const expected = cast.agents.length
  const members = await askMembers(phase, cast.agents, 1, () => ({ task, acceptance: work.acceptance }))
  const missing = cast.agents.filter((role) => !members.some((member) => member.role === role))
  const output: TeamOutput = { members, expected, missing, round: 1 }
  if (cast.strategy !== 'perspectives' || members.length < 2) return output
  const tokens = members.reduce((sum, { output }) => sum + plan.deps.countTokens(output.text), 0)
  const { variant, roundTwo, limits } = settings.deliberation
  const given = isOpen(plan.breakers, 'deliberation_round_2') ? 'light' : variant
  const how = deliberate(phase.id, given, tokens, phase.flags, limits, new Map(roundTwo))
  if (how.kind === 'none') return output
  if (how.kind === 'full') return secondRound(phase, output, how.roundTwo, work)
  if (how.fellBack) addFlags(phase, 'deliberation_fell_back_to_light')
  return { ...output, ...(await findGaps(phase, members, work)) }
}

const roundTwoTasks = {
  revise:
    'Read what the others wrote. Say where you agree and why, where you disagree and why yours holds, take over what you had missed, and give your whole view again with what you changed marked.',
  critique:
    'Read what the others wrote as a senior reviewer. Find the flaws in their work and in yours, and give your whole view again with what follows from that.',
}

/** ST5, full: asks each member again with the others' drafts. A member that fails keeps its first draft. */
async function secondRound(
  phase: Phase,
  first: TeamOutput,
  mode: 'revise' | 'critique',
  work: TeamTask,
): Promise<TeamOutput> {
  const calls = roundTwoCalls(first.members.map(({ role, output }) => ({ agent: role, text: output.text })))
  const roles = calls.map(({ agent }) => agent)
  const again = await askMembers(phase, roles, 2, (role) => {
    const call = calls.find(({ agent }) => agent === role)!
    const others = call.others.map(({ agent, text }) => ({ role: agent, text }))
    return { task: `${work.task}\n\n${roundTwoTasks[mode]}`, acceptance: work.acceptance, own: call.own, others }
  })
  if (again.length === calls.length) {
    countSuccess(phase, 'deliberation_round_2')
    return { ...first, members: again, round: 2 }
  }
  addFlags(phase, 'round_two_incomplete')
  const members = first.members.map((member) => again.find(({ role }) => role === member.role) ?? member)
  const missingLater = roles.filter((role) => !again.some((member) => member.role === role))
  // Without any second draft, the first drafts are compared.
  const output = { ...first, members, missingLater, round: again.length > 0 ? 2 : 1 }
  const tripped = (await countFailure(phase, 'deliberation_round_2')) === 'escalate'
  return { ...output, ...(tripped ? await findGaps(phase, members, work) : {}) }
}

/** ST5, light: the coordinator reads the drafts in short and lists contradictions and gaps. */
async function findGaps(
  phase: Phase,
  members: readonly Member[],
  work: TeamTask,
): Promise<{ contradictions?: string }> {
  const { limits = defaultDeliberationLimits } = phase.settings.deliberation
  const drafts = members.map(({ role, output }) => ({ agent: role, text: output.text }))
  const short = inShort(drafts, limits.round_one_tokens, phase.plan.deps.countTokens)
  const answer = await askMember(phase, {
    kind: 'phase',
    agent: phase.settings.staff.coordinator,
    round: 2,
    task: `Several agents worked on this: ${oneLine(work.task, 300)}\nWrite down where they contradict each other, and what none of them looked at. Decide nothing yet.`,
    acceptance: ['Every contradiction names who says what', 'Every gap says why it matters'],
    form: 'a view of your own',
    others: short.map(({ agent, text }) => ({ role: agent, text })),
  })
  if (answer.ok) return { contradictions: readOutput(answer.text).text }
  addFlags(phase, 'degraded', 'contradictions_missing')
  return {}
}
