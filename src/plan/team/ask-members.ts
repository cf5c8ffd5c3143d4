/** Asks the members of a team and records their replies; members that fail are recorded as missing. */
import type { StepContext } from '../../kernel/engine.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { memberMissing, outputReceived } from '../events.ts'
import { addFlags, eventHeader, type Phase } from '../plan.ts'
import { type Output, readOutput } from '../replies.ts'
import { agentFor, askMember } from './ask-member.ts'

export interface Member {
  role: string
  agent: string
  output: Output
  ask: string
}

/** What one member is asked. */
export interface MemberTask {
  task: string
  acceptance: readonly string[]
  own?: string
  others?: { role: string; text: string }[]
}

/** Asks all members at once; returns them in the order of their roles. An empty reply counts as missing. */
export async function askMembers(
  phase: Phase,
  roles: readonly string[],
  round: number,
  put: (role: string) => MemberTask,
): Promise<Member[]> {
  const asked = roles.map((role) => ({ role, agent: agentOf(phase, role) }))
  const answers = await Promise.all(
    asked.map(({ role, agent }) =>
      askMember(phase, { kind: 'phase', agent, role, round, form: 'a view of your own', ...put(role) }),
    ),
  )
  const members: Member[] = []
  const replies: MemberReply[] = []
  for (const [index, answer] of answers.entries()) {
    const { role, agent } = asked[index]!
    if (!answer.ok) {
      replies.push({ role, agent, reason: answer.reason })
      continue
    }
    const member = { role, agent, output: readOutput(answer.text), ask: answer.ask }
    replies.push(member, ...(member.output.text === '' ? [{ role, agent, reason: 'the reply is empty' }] : []))
    if (member.output.text !== '') members.push(member)
  }
  await recordReplies(phase, round, replies)
  return members
}

/** Assigns roles to the panel in the order of the whole team, so that a phase's roles go to different agents. */
export function agentOf({ settings: { team, staff } }: Phase, role: string): string {
  const reviewers = team.agents['6b']
  if (reviewers.includes(role)) return agentFor(staff.reviewers, reviewers.indexOf(role))
  const roles = [...new Set(Object.values(team.agents).flat())]
  return agentFor(staff.panel, Math.max(0, roles.indexOf(role)))
}

/** A member's output, or why there is none. */
export type MemberReply = Member | { role: string; agent: string; reason: string }

/** Records replies that arrived together in one step. */
export async function recordReplies(phase: Phase, round: number, spoken: readonly MemberReply[]): Promise<void> {
  const { plan, run, id } = phase
  if (spoken.some((one) => 'reason' in one)) addFlags(phase, 'degraded')
  const write = async (step: StepContext) => {
    for (const one of spoken) {
      const { role, agent } = one
      if ('reason' in one) {
        const about = { phase: id, round, role, agent, reason: one.reason }
        step.emit(memberMissing.create(eventHeader(plan, run), about))
        continue
      }
      const { text } = one.output
      const output_ref = await plan.deps.store.putPayload(text)
      const excerpt = oneLine(text, 240)
      const about = { phase: id, round, role, agent, ask: one.ask, excerpt, output_ref, empty: text === '' }
      step.emit(outputReceived.create(eventHeader(plan, run, agent), about))
    }
  }
  await run.step(`hear phase ${id}`, write, { ahead: true })
}
