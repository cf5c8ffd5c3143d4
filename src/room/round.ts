/** A coordinated round: a rule decides from the agents' proposals who answers, then they answer. RD, DP. */

import type { AskFailure } from '../kernel/ask/ask.ts'
import { noUsage } from '../kernel/ask/usage.ts'
import type { Run } from '../kernel/engine.ts'
import type { stoppedCode } from '../kernel/run-events.ts'
import { configurationFault } from '../rules/build/configuration-fault.ts'
import { describeCalledTogether } from '../rules/context/coordination-context.ts'
import { failOpen } from '../rules/room/fail-open.ts'
import { type Override, overrideInForce } from '../rules/room/override.ts'
import type { Proposal } from '../rules/room/proposal.ts'
import { callsOf, decideRound, planRound, type RoundDecision, type RoundPlan } from '../rules/room/round.ts'
import type { PeerFlag } from '../rules/team/peer-round.ts'
import { type AnswerExit, answer, couldNotAnswer, type Message, notice } from './answer.ts'
import { briefing } from './briefing.ts'
import { permitCalls, waitForPermit } from './call-permit.ts'
import type { RoomDeps } from './deps.ts'
import { answerWaiting, roomStream, roundResolved } from './events.ts'
import { type GatheredProposals, gatherProposals } from './proposals.ts'
import { type AnswersSoFar, type PendingAnswer, waitForAnswer } from './wait-for-answer.ts'

export interface RoundMessage extends Message {
  override?: Override
}

type FailedReason = AskFailure['reason'] | typeof configurationFault

/** AS3: a fault that a person can fix is named as one. The room shows its message, and other agents still answer. */
export function reasonOf(failure: AskFailure): FailedReason {
  return failure.reason !== 'budget' && failure.configuration ? configurationFault : failure.reason
}

export interface RoundResult {
  /** Why no agent answered; absent if one did. */
  reason?: FailedReason | typeof stoppedCode
}

export async function playRound(run: Run, deps: RoomDeps, message: RoundMessage): Promise<RoundResult> {
  const { plan, began, agents, ...talk } = await planned(run, deps, message)
  const gathered = plan.kind === 'propose' ? await gatherProposals(run, deps, message, plan) : noProposals
  // Inside the step: limits and the room's override may differ after a restart, and the decision must not change.
  const decision = await run.step(
    'resolve',
    ({ emit }) => {
      const decision = decideRound(plan, gathered.proposals, overrideFor(deps, message), deps.settings.dispatch)
      emit(resolvedEvent(deps, message, decision, { ...gathered, agents, ...talk }, deps.clock.now() - began))
      return decision
    },
    { ahead: true },
  )
  if (plan.kind === 'route' || (decision.rule === 'addressed' && decision.mode === 'solo'))
    return callNamed(run, deps, message, decision.responders)
  const more = decision.responders.length - 1
  if (more > 0) await permitCalls(run, deps, message.room, more, (words) => notice(message, words))
  const outcome = await respond(run, deps, message, decision, gathered)
  if (outcome.failures.size + outcome.passed.length < decision.responders.length) {
    for (const [agent, why] of outcome.failures) await run.append(couldNotAnswer(message, agent, why))
    return {}
  }
  return standIn(run, deps, message, agents, decision, outcome)
}

const noProposals: GatheredProposals = { proposals: {}, missing: [], usage: noUsage, calls: 0 }

/** What the wording is read with, beside the message; recorded with the decision. */
export interface TalkBefore {
  spoke?: string[]
  judged?: string[]
  collaborated?: boolean
  attached?: boolean
}

async function planned(
  run: Run,
  deps: RoomDeps,
  message: RoundMessage,
): Promise<{ plan: RoundPlan; began: number; agents: string[] } & TalkBefore> {
  for (let notified = false; ; notified = true) {
    const { wait, ...planned } = await run.step(
      'plan',
      async () => {
        const room = deps.room(message.room)
        const { agents } = room
        const { plan, ...talk } = await readPlan(run, deps, message, room)
        return { plan, agents, ...talk, began: deps.clock.now(), wait: deps.meter.take(message.room, callsOf(plan)) }
      },
      { ahead: true },
    )
    if (wait === 0) return planned
    await waitForPermit(run, wait, notified, (words) => notice(message, words))
  }
}

/** `room` is the room as it was when the message was posted. */
export async function readPlan(
  run: Pick<Run, 'runId'>,
  deps: Pick<RoomDeps, 'memories' | 'settings'>,
  message: RoundMessage,
  room: { agents: string[]; override?: Override },
): Promise<{ plan: RoundPlan } & TalkBefore> {
  const memory = await deps.memories.before(message, run.runId)
  const judged = memory.judged(room.agents)
  const talk: TalkBefore = {
    spoke: memory.speakers(),
    ...(judged.length > 0 ? { judged } : {}),
    ...(memory.endsInSession() ? { collaborated: true } : {}),
    ...((message.attachments?.length ?? 0) > 0 ? { attached: true } : {}),
  }
  const plan = planRound({
    message: { id: message.message_id, text: message.text, files: fileNames(message) },
    agents: room.agents,
    lastResponder: memory.lastResponder(),
    ...talk,
    limits: deps.settings.dispatch,
    override: { message: message.override, room: room.override },
  })
  return { plan, ...talk }
}

function fileNames({ attachments = [] }: RoundMessage): string[] {
  return attachments.filter(({ kind }) => kind === 'file').map(({ name }) => name)
}

function overrideFor(deps: RoomDeps, message: RoundMessage): Override | undefined {
  const { agents, override } = deps.room(message.room)
  return overrideInForce({ message: message.override, room: override }, agents)
}

/** `flags` say why peers did not decide all together (RD11). */
export function resolvedEvent(
  deps: Pick<RoomDeps, 'settings'>,
  message: Pick<RoundMessage, 'room' | 'message_id'>,
  decision: RoundDecision,
  read: GatheredProposals & TalkBefore & { agents: string[] },
  milliseconds: number,
  flags: PeerFlag[] = [],
) {
  const { usage, calls, proposals, missing, agents, spoke, judged, collaborated, attached } = read
  return roundResolved.create(
    { stream: roomStream(message.room), actor: 'router' },
    {
      message_id: message.message_id,
      ...decision,
      proposals: proposals as Record<string, Proposal & { covers: string[] }>,
      missing,
      limits: { ...deps.settings.dispatch },
      agents,
      ...(spoke === undefined ? {} : { spoke }),
      ...(judged === undefined ? {} : { judged }),
      ...(collaborated ? { collaborated } : {}),
      ...(attached ? { attached } : {}),
      ...(flags.length > 0 ? { flags } : {}),
      coordination: { calls, tokens: usage.inputTokens + usage.outputTokens, usd: usage.usd, milliseconds },
    },
  )
}

/** RD2: the agents called by name answer, and no other agent steps in for them. */
async function callNamed(run: Run, deps: RoomDeps, message: RoundMessage, agents: string[]): Promise<RoundResult> {
  const exits = await Promise.all(
    agents.map((agent) => {
      const coordination = describeCalledTogether(agents, agent)
      return answer(run, deps, message, { agent, reportFailure: true, ...(coordination ? { coordination } : {}) })
    }),
  )
  const failed = exits.find((exit) => !exit.ok)
  return exits.some((exit) => exit.ok) || !failed || failed.ok ? {} : { reason: reasonOf(failed.failure) }
}

/** The responders that did not answer: those that failed, and why; those that passed. */
interface Unanswered {
  failures: Map<string, string>
  passed: string[]
}

function unanswered(exits: readonly { agent: string; exit: AnswerExit }[]): Unanswered {
  const failures = exits.flatMap(({ agent, exit }) => (exit.ok ? [] : [[agent, exit.failure.message] as const]))
  const passed = exits.flatMap(({ agent, exit }) => (exit.ok && exit.passed ? [agent] : []))
  return { failures: new Map(failures), passed }
}

function respond(
  run: Run,
  deps: RoomDeps,
  message: RoundMessage,
  decision: RoundDecision,
  gathered: GatheredProposals,
): Promise<Unanswered> {
  return (decision.mode === 'synthesis' ? answerInSequence : answerInParallel)(run, deps, message, decision, gathered)
}

/** RD5, RD6: the winner alone, or several in parallel, each informed about the others. */
async function answerInParallel(
  run: Run,
  deps: RoomDeps,
  message: RoundMessage,
  decision: RoundDecision,
  gathered: GatheredProposals,
): Promise<Unanswered> {
  const exits = await Promise.all(
    decision.responders.map(async (agent) => {
      const told = briefing(decision, gathered.proposals, agent)
      const exit = await answer(run, deps, message, { agent, ...told, reportFailure: false })
      return { agent, exit }
    }),
  )
  return unanswered(exits)
}

/** RD7: one after the other, each with the full answers so far or, if the wait timed out, with the proposals. */
async function answerInSequence(
  run: Run,
  deps: RoomDeps,
  message: RoundMessage,
  decision: RoundDecision,
  gathered: GatheredProposals,
): Promise<Unanswered> {
  const [winner, ...later] = decision.responders
  const pending: PendingAnswer[] = []
  const startAnswer = (agent: string, others: AnswersSoFar) => {
    const told = briefing(decision, gathered.proposals, agent, others)
    const exit = answer(run, deps, message, { agent, ...told, reportFailure: false })
    // A stop ends all answers, but only the first is awaited: the others' rejections would go unhandled.
    exit.catch(() => {})
    pending.push({ agent, exit })
  }
  startAnswer(winner!, { answers: {}, failed: [] })
  await run.append(
    ...later.map((agent, index) =>
      answerWaiting.create(
        { stream: roomStream(message.room), actor: agent },
        { message_id: message.message_id, agent, for: decision.responders[index]! },
      ),
    ),
  )
  for (const agent of later) startAnswer(agent, await waitForAnswer(run, deps, pending))

  const exits: { agent: string; exit: AnswerExit }[] = []
  for (const { agent, exit } of pending) exits.push({ agent, exit: await exit })
  return unanswered(exits)
}

/** RD8: other agents step in one at a time, in order of name. The room gets a notice only if none can answer. */
async function standIn(
  run: Run,
  deps: RoomDeps,
  message: RoundMessage,
  live: string[],
  decision: RoundDecision,
  { failures, passed }: Unanswered,
): Promise<RoundResult> {
  let reason: FailedReason = 'unavailable'
  // An agent that passed expected another to answer: it is asked again only if nobody else is left.
  const next = () =>
    failOpen({ live, failed: [...failures.keys(), ...passed] }) ?? failOpen({ live, failed: [...failures.keys()] })
  for (let agent = next(); agent !== undefined; agent = next()) {
    await permitCalls(run, deps, message.room, 1, (words) => notice(message, words))
    const exit = await answer(run, deps, message, { agent, role: 'stand-in', reportFailure: false })
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
    reason = reasonOf(exit.failure)
  }
  const why = [...failures].map(([agent, message]) => `${agent}: ${message}`).join('; ')
  await run.append(notice(message, `Nobody could answer. ${why}`, 'unanswered'))
  return { reason }
}
