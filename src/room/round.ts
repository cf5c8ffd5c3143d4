/** A coordinated round: who answers is decided by a rule from what the agents propose, then they answer. RD, DP. */
import type { Run } from '../kernel/engine.ts'
import { coordinationContext, describeCoordination } from '../rules/coordination-context.ts'
import { type DispatchDecision, dispatch } from '../rules/dispatch.ts'
import { failOpen } from '../rules/fail-open.ts'
import { applyOverride, type Override, overrideInForce } from '../rules/override.ts'
import type { Proposal } from '../rules/proposal.ts'
import { planRound, type RoundPlan } from '../rules/round.ts'
import { answer, couldNotAnswer, type Message, notice, type Role } from './answer.ts'
import { answerWaiting, roomStream, roundResolved } from './events.ts'
import { type Gathered, gatherProposals } from './proposals.ts'
import { RoomMemory } from './room-memory.ts'
import type { RoomSurroundings } from './surroundings.ts'
import { waitForAnswer } from './wait-for-answer.ts'

export interface RoundMessage extends Message {
  override?: Override
}

export interface RoundResult {
  /** Why nobody answered, where nobody did. */
  reason?: string
}

type Decision = DispatchDecision & { override?: Override }

export async function playRound(run: Run, around: RoomSurroundings, message: RoundMessage): Promise<RoundResult> {
  const { plan, began } = await planned(run, around, message)
  const gathered = plan.kind === 'propose' ? await gatherProposals(run, around, message, plan) : nothing
  const decision = decide(around, message, plan, gathered)
  await run.step('resolve', ({ emit }) =>
    emit(resolved(around, message, decision, gathered, around.clock.now() - began)),
  )
  return plan.kind === 'route'
    ? callNamed(run, around, message, plan.agents)
    : respond(run, around, message, decision, gathered)
}

const nothing: Gathered = { proposals: {}, missing: [], usage: { inputTokens: 0, outputTokens: 0, usd: 0 }, calls: 0 }

/** RD12: a room that is over its calls a minute waits; it is said, and nothing is lost. */
async function planned(
  run: Run,
  around: RoomSurroundings,
  message: RoundMessage,
): Promise<{ plan: RoundPlan; began: number }> {
  for (let told = false; ; told = true) {
    const { plan, wait, began } = await run.step('plan', async () => {
      const plan = await readPlan(run, around, message)
      return { plan, wait: around.meter.take(message.room, callsOf(plan)), began: around.clock.now() }
    })
    if (wait === 0) return { plan, began }
    const seconds = Math.ceil(wait / 1000)
    if (!told)
      await run.append(
        notice(message, `This room has made its calls for this minute; the message is answered in ${seconds} s.`),
      )
    await run.sleep(wait, { stoppable: true })
  }
}

async function readPlan(run: Run, around: RoomSurroundings, message: RoundMessage): Promise<RoundPlan> {
  const room = around.room(message.room)
  const memory = await RoomMemory.before(around.store, message.room, run.runId)
  return planRound({
    message: { id: message.message_id, text: message.text },
    agents: room.agents,
    lastResponder: memory.lastResponder(),
    override: { message: message.override, room: room.override },
  })
}

function callsOf(plan: RoundPlan): number {
  if (plan.kind === 'solo') return 1
  return plan.kind === 'propose' ? plan.agents.length + 1 : plan.agents.length
}

function decide(around: RoomSurroundings, message: RoundMessage, plan: RoundPlan, gathered: Gathered): Decision {
  if (plan.kind === 'route') {
    const [winner, runnerUp] = plan.agents
    const mode = plan.agents.length > 1 ? 'parallel' : 'solo'
    const override =
      plan.because === 'override'
        ? overrideInForce({ message: message.override, room: around.room(message.room).override })
        : undefined
    const reason =
      plan.because === 'mention'
        ? `${plan.agents.join(' and ')} ${plan.agents.length > 1 ? 'were' : 'was'} called by name.`
        : `Only ${winner} was asked for.`
    return {
      mode,
      rule: plan.because as never,
      winner: winner!,
      ...(runnerUp ? { runnerUp } : {}),
      responders: plan.agents,
      overlap: null,
      reason,
      ...(override ? { override } : {}),
    }
  }
  if (plan.kind === 'solo') {
    const reason =
      plan.because === 'only_agent'
        ? `${plan.agent} is the only agent here.`
        : `The message has no content words: it goes to ${plan.agent}, without asking for proposals.`
    return {
      mode: 'solo',
      rule: plan.because as never,
      winner: plan.agent,
      responders: [plan.agent],
      overlap: null,
      reason,
    }
  }
  const decision = dispatch(gathered.proposals, plan.agents, around.settings.dispatch)
  const override = overrideInForce({ message: message.override, room: around.room(message.room).override })
  return override ? applyOverride(decision, override, plan.agents) : decision
}

function resolved(
  around: RoomSurroundings,
  message: RoundMessage,
  decision: Decision,
  gathered: Gathered,
  milliseconds: number,
) {
  const { usage, calls, proposals, missing } = gathered
  return roundResolved.create(
    { stream: roomStream(message.room), actor: 'router' },
    {
      message_id: message.message_id,
      ...decision,
      proposals: proposals as Record<string, Proposal & { covers: string[] }>,
      missing,
      limits: { ...around.settings.dispatch },
      coordination: { calls, tokens: usage.inputTokens + usage.outputTokens, usd: usage.usd, milliseconds },
    },
  )
}

/** RD2: those called by name answer, and nobody steps in for them. */
async function callNamed(
  run: Run,
  around: RoomSurroundings,
  message: RoundMessage,
  agents: string[],
): Promise<RoundResult> {
  const exits = await Promise.all(agents.map((agent) => answer(run, around, message, { agent, tellFailure: true })))
  const failed = exits.find((exit) => !exit.ok)
  return exits.some((exit) => exit.ok) || !failed || failed.ok ? {} : { reason: failed.failure.reason }
}

async function respond(
  run: Run,
  around: RoomSurroundings,
  message: RoundMessage,
  decision: Decision,
  gathered: Gathered,
): Promise<RoundResult> {
  const failures =
    decision.mode === 'synthesis'
      ? await synthesis(run, around, message, decision, gathered)
      : await together(run, around, message, decision, gathered)
  if (failures.size < decision.responders.length) {
    for (const [agent, why] of failures) await run.append(couldNotAnswer(message, agent, why))
    return {}
  }
  return standIn(run, around, message, decision, failures)
}

/** RD5, RD6: the winner alone, or several at once, each told of the others. Gives who failed, and why. */
async function together(
  run: Run,
  around: RoomSurroundings,
  message: RoundMessage,
  decision: Decision,
  gathered: Gathered,
): Promise<Map<string, string>> {
  const exits = await Promise.all(
    decision.responders.map((agent) => {
      const context = coordinationContext(decision, gathered.proposals, agent)
      const role: Role = agent === decision.winner ? 'primary' : 'secondary'
      return answer(run, around, message, {
        agent,
        role,
        coordination: context && describeCoordination(context),
        tellFailure: false,
      })
    }),
  )
  return new Map(
    exits.flatMap((exit, index) => (exit.ok ? [] : [[decision.responders[index]!, exit.failure.message] as const])),
  )
}

/** RD7: one after the other, each with the whole of what was said before, or after waiting in vain with what was proposed. */
async function synthesis(
  run: Run,
  around: RoomSurroundings,
  message: RoundMessage,
  decision: Decision,
  gathered: Gathered,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const failures = new Map<string, string>()
  const begun: { agent: string; exit: ReturnType<typeof answer> }[] = []
  const begin = (agent: string, coordination: string | undefined, role: Role) => {
    begun.push({ agent, exit: answer(run, around, message, { agent, role, coordination, tellFailure: false }) })
  }
  const told = (agent: string) => {
    const context = coordinationContext(decision, gathered.proposals, agent, answers)
    return context && describeCoordination(context)
  }
  begin(decision.winner, told(decision.winner), 'primary')
  for (const agent of decision.responders.slice(1)) {
    const before = begun.at(-1)!
    await run.append(
      answerWaiting.create(
        { stream: roomStream(message.room), actor: agent },
        { message_id: message.message_id, agent, for: before.agent },
      ),
    )
    const waited = await waitForAnswer(run, around, before)
    if (waited.kind === 'answered') answers.set(before.agent, waited.text)
    begin(
      agent,
      waited.kind === 'failed' ? undefined : told(agent),
      waited.kind === 'answered' ? 'synthesis' : 'secondary',
    )
  }
  for (const { agent, exit: pending } of begun) {
    const exit = await pending
    if (!exit.ok) failures.set(agent, exit.failure.message)
  }
  return failures
}

/** RD8: somebody still answers, one at a time, first by name; only when nobody can is that said. */
async function standIn(
  run: Run,
  around: RoomSurroundings,
  message: RoundMessage,
  decision: Decision,
  failures: Map<string, string>,
): Promise<RoundResult> {
  const live = around.room(message.room).agents
  let reason = 'unavailable'
  for (
    let agent = failOpen({ live, failed: [...failures.keys()] });
    agent !== undefined;
    agent = failOpen({ live, failed: [...failures.keys()] })
  ) {
    const exit = await answer(run, around, message, { agent, role: 'stand-in', tellFailure: false })
    if (exit.ok) {
      await run.append(
        notice(
          message,
          `${agent} answered in place of ${decision.responders.join(' and ')}: ${[...failures.values()][0]}`,
        ),
      )
      return {}
    }
    failures.set(agent, exit.failure.message)
    reason = exit.failure.reason
  }
  const why = [...failures].map(([agent, message]) => `${agent}: ${message}`).join('; ')
  await run.append(notice(message, `Nobody could answer. ${why}`))
  return { reason }
}
