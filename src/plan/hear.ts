/** Puts a task to the members of a team and keeps what they say; who fails is named and left out. */
import { oneLine } from '../rules/one-line.ts'
import { agentFor, askMember } from './ask-member.ts'
import { memberMissing, outputReceived } from './events.ts'
import { note, type Phase, placeOf } from './plan.ts'
import { type Output, readOutput } from './replies.ts'

export interface Member {
  role: string
  agent: string
  output: Output
  ask: string
}

/** What one member is asked. */
export interface Put {
  task: string
  acceptance: readonly string[]
  own?: string
  others?: { role: string; text: string }[]
}

/** All at once, in the order of their parts. An empty reply is as good as none. */
export async function hearAll(
  phase: Phase,
  roles: readonly string[],
  round: number,
  put: (role: string) => Put,
): Promise<Member[]> {
  const asked = roles.map((role) => ({ role, agent: agentOf(phase, role) }))
  const answers = await Promise.all(
    asked.map(({ role, agent }) =>
      askMember(phase, { kind: 'phase', agent, role, round, form: 'a view of your own', ...put(role) }),
    ),
  )
  const members: Member[] = []
  for (const [index, answer] of answers.entries()) {
    const { role, agent } = asked[index]!
    if (!answer.ok) {
      await missing(phase, round, role, agent, answer.reason)
      continue
    }
    const member = { role, agent, output: readOutput(answer.text), ask: answer.ask }
    await received(phase, round, member)
    if (member.output.text === '') await missing(phase, round, role, agent, 'the reply is empty')
    else members.push(member)
  }
  return members
}

/** Parts go round the panel in the order of the whole team, so that a phase's parts fall to different agents. */
export function agentOf({ settings: { team, staff } }: Phase, role: string): string {
  const reviewers = team.agents['6b']
  if (reviewers.includes(role)) return agentFor(staff.reviewers, reviewers.indexOf(role))
  const roles = [...new Set(Object.values(team.agents).flat())]
  return agentFor(staff.panel, Math.max(0, roles.indexOf(role)))
}

export async function received(phase: Phase, round: number, { role, agent, output, ask }: Member): Promise<void> {
  const { plan, run, id } = phase
  await run.step('keep output', async (step) => {
    const output_ref = await plan.around.store.putPayload(output.text)
    const excerpt = oneLine(output.text, 240)
    const about = { phase: id, round, role, agent, ask, excerpt, output_ref, empty: output.text === '' }
    step.emit(outputReceived.create(placeOf(plan, run, agent), about))
  })
}

export async function missing(phase: Phase, round: number, role: string, agent: string, reason: string): Promise<void> {
  note(phase, 'degraded')
  const about = { phase: phase.id, round, role, agent, reason }
  await phase.run.append(memberMissing.create(placeOf(phase.plan, phase.run), about))
}
