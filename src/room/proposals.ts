/** Asks all agents in parallel for a proposal before a round: what would you say? RD4. */

import type { Usage } from '../kernel/agent.ts'
import { addUsage, noUsage } from '../kernel/ask/usage.ts'
import type { Run } from '../kernel/engine.ts'
import { type AskingRun, askInRun, type RunAskResult } from '../kernel/runs/ask-in-run.ts'
import { type Proposal, proposalSchema } from '../rules/room/proposal.ts'
import { readProposal } from '../rules/room/read-proposal.ts'
import type { Message } from './answer.ts'
import { excerptedText } from './attached-text.ts'
import type { RoomDeps } from './deps.ts'
import { roomStream } from './events.ts'
import { findAgent } from './find-agent.ts'
import { sourceFor } from './readable-source.ts'

export interface GatheredProposals {
  proposals: Record<string, Proposal & { malformed?: boolean }>
  missing: { agent: string; reason: string }[]
  usage: Usage
  calls: number
}

export async function gatherProposals(
  run: Run,
  deps: RoomDeps,
  message: Message,
  plan: { agents: string[]; topics: string[] },
): Promise<GatheredProposals> {
  const results = await Promise.all(plan.agents.map((name) => propose(run, deps, message, name, plan)))
  const gathered: GatheredProposals = { proposals: {}, missing: [], usage: noUsage, calls: 0 }
  for (const [index, result] of results.entries()) {
    const agent = plan.agents[index]!
    gathered.usage = addUsage(gathered.usage, result.usage)
    gathered.calls += result.attempts.length
    const made = proposalIn(result)
    if ('reason' in made) gathered.missing.push({ agent, reason: made.reason })
    else gathered.proposals[agent] = made.proposal
  }
  return gathered
}

/** An unparsable reply still counts, at a confidence that can only win alone. */
export function proposalIn({
  exit,
  raw,
}: RunAskResult<Proposal>): { proposal: Proposal & { malformed?: boolean } } | { reason: string } {
  if (!exit.ok && exit.failure.reason !== 'malformed') return { reason: exit.failure.reason }
  const { proposal, malformed } = readProposal(exit.ok ? exit.text : raw)
  return { proposal: malformed ? { ...proposal, malformed } : proposal }
}

export function propose(
  run: AskingRun,
  deps: RoomDeps,
  message: Message,
  name: string,
  plan: { agents: string[]; topics: string[] },
) {
  const agent = findAgent(deps, deps.proposer ?? name)
  return askInRun<Proposal>(run, deps, {
    agent,
    kind: 'micro-proposal',
    ahead: true,
    ...(deps.proposer === undefined ? {} : { for: name }),
    schema: proposalSchema,
    repairs: 0,
    retry: { retries: 0 },
    limits: { timeoutMs: deps.settings.proposal_seconds * 1000, maxOutputTokens: 2000 },
    messages: async () => {
      const memory = await deps.memories.before(message, run.runId)
      const source = await sourceFor(deps, agent, message)
      const content = deps.prompts.render('micro-proposal', {
        name,
        others: plan.agents.filter((other) => other !== name),
        topics: plan.topics,
        register: memory.register(),
        history: memory.rounds(),
        talk: memory.lastLines(),
        message: await excerptedText(deps.store, message),
        project: source?.outline ?? '',
      })
      return [{ role: 'user', content }]
    },
    stream: roomStream(message.room),
  })
}
