/** Asks one agent in a phase. A failure is data: the phase decides what it means. */
import type { z } from 'zod'
import type { AskKind } from '../../kernel/agent.ts'
import { askInStep } from '../../kernel/runs/ask-in-run.ts'
import { eventHeader, type Phase } from '../plan.ts'
import { lensOf } from '../roles.ts'

export interface Question<Value> {
  kind: AskKind
  /** By name. */
  agent: string
  /** The agent's role; absent for the coordinator. */
  role?: string
  round: number
  task: string
  acceptance: readonly string[]
  /** The form of the reply, by its name in the common instructions. */
  form: 'a view of your own' | 'a synthesis' | 'findings of a review' | 'a vote' | 'scores' | 'issues, as the task says'
  others?: readonly { role: string; text: string }[]
  own?: string
  note?: string
  /** Required structure; a reply that does not fit is sent back once. */
  schema?: z.ZodType<Value>
}

export type Answered<Value> =
  | { ok: true; value: Value; text: string; ask: string }
  | { ok: false; reason: string; ask: string }

export async function askMember<Value = string>(phase: Phase, question: Question<Value>): Promise<Answered<Value>> {
  const { plan, run } = phase
  const { deps } = plan
  const { kind, agent, role, round, task, acceptance, form, others, own, note, schema } = question
  const content = deps.prompts.render('plan-task', {
    role: role ?? '',
    lens: role ? lensOf(role) : '',
    task,
    acceptance,
    form,
    others: others ?? [],
    own: own ?? '',
    note: note ?? '',
  })
  const { result, ask } = await run.step(
    `${kind} ${agent}`,
    async (step) => {
      const asked = deps.agent(agent)
      if (!asked) return { ask: step.key, result: null }
      const result = await askInStep<Value>(run, step, deps, {
        agent: asked,
        kind,
        messages: () => [
          { role: 'system', content: phase.system },
          { role: 'user', content },
        ],
        ...(schema ? { schema, repairs: 1 as const } : {}),
        facts: { phase: phase.id, round, attempt: phase.pass },
        stream: eventHeader(plan).stream,
        feature: plan.input.feature,
        ...(role === undefined ? {} : { for: role }),
      })
      if (!result.exit.ok && result.exit.failure.reason === 'budget')
        return deps.parking.park(run, step, result.exit.failure)
      return { ask: step.key, result }
    },
    { stoppable: true, ahead: true },
  )
  if (!result) return { ok: false, reason: `agent '${agent}' is no longer configured`, ask }
  if (result.exit.ok) return { ok: true, value: result.exit.value, text: result.exit.text, ask }
  return { ok: false, reason: result.exit.failure.message, ask }
}

/** Assigns agents round-robin, so that different models work side by side. */
export function agentFor(agents: readonly string[], index: number): string {
  return agents[index % agents.length]!
}
