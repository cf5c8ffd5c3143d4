/** Asks one agent in a phase. A failure is data: the phase decides what it means. */
import type { z } from 'zod'
import type { AskKind } from '../../kernel/agent.ts'
import { ScriptExhausted } from '../../kernel/errors.ts'
import { askInStep } from '../../kernel/runs/ask-in-run.ts'
import { parkReasonOf } from '../../kernel/runs/parking.ts'
import { eventHeader, type Phase, type Plan } from '../plan.ts'
import { findingsSchema, synthesisReplySchema, viewSchema } from '../replies.ts'
import { lensOf } from '../roles.ts'
import { mapMessages, phaseSource } from './phase-source.ts'
import { type ReplyForm, replyForms } from './reply-forms.ts'

export interface Question<Value> {
  kind: AskKind
  /** By name. */
  agent: string
  /** The agent's role; absent for the coordinator. */
  role?: string
  round: number
  task: string
  acceptance: readonly string[]
  form: ReplyForm
  others?: readonly { role: string; text: string }[]
  own?: string
  note?: string
  /** Required structure; a reply that does not fit is sent back once. Without it a reply in plain words counts too. */
  schema?: z.ZodType<Value>
  /** A rehearsal may have no line for it. */
  optional?: boolean
}

export type Answered<Value> =
  | { ok: true; value: Value; text: string; ask: string }
  | { ok: false; reason: string; ask: string }

export async function askMember<Value = string>(phase: Phase, question: Question<Value>): Promise<Answered<Value>> {
  const { plan, run } = phase
  const { deps } = plan
  const { kind, agent, role, round, task, acceptance, form, others, own, note } = question
  const prose = question.schema ? undefined : inPlainWords[form]
  const schema = question.schema ?? (prose?.schema as z.ZodType<Value> | undefined)
  const content = deps.prompts.render('plan-task', {
    role: role ?? '',
    lens: role ? lensOf(role, new Map(phase.settings.lenses ?? [])) : '',
    task,
    acceptance,
    form,
    shape: replyForms[form],
    others: others ?? [],
    own: own ?? '',
    note: note ?? '',
  })
  const { result, ask, files } = await run.step(
    `${kind} ${agent}`,
    async (step) => {
      const asked = deps.agent(agent)
      if (!asked) return { ask: step.key, result: null, files: [] }
      const files = new Set<string>()
      const asking = askInStep<Value>(run, step, deps, {
        agent: asked,
        kind,
        source: () => phaseSource(phase, asked, kind, (file) => files.add(file)),
        messages: (source) => [
          ...mapMessages(plan, source),
          { role: 'system', content: kind === 'align' ? requestOnly(plan) : phase.system },
          { role: 'user', content },
        ],
        ...(schema ? { schema, repairs: prose?.repairs ?? 1 } : {}),
        facts: { phase: phase.id, round, attempt: phase.pass },
        stream: eventHeader(plan).stream,
        parksOnFault: true,
        feature: plan.input.feature,
        ...(role === undefined ? {} : { for: role }),
      })
      const result = await (question.optional ? asking.catch(withoutLine) : asking)
      if (!result) return { ask: step.key, result, files: [] }
      const parked = result.exit.ok ? null : parkReasonOf(result.exit.failure)
      if (parked) return deps.parking.park(run, step, parked)
      return { ask: step.key, result, ...(files.size > 0 ? { files: [...files] } : {}) }
    },
    { stoppable: true, ahead: true },
  )
  for (const file of files ?? []) phase.filesRead.add(file)
  if (!result) return { ok: false, reason: `agent '${agent}' is not available`, ask }
  if (result.exit.ok) return { ok: true, value: result.exit.value, text: result.exit.text, ask }
  if (prose && result.exit.failure.reason === 'malformed' && result.raw.trim() !== '')
    return { ok: true, value: undefined as never, text: result.raw, ask }
  return { ok: false, reason: result.exit.failure.message, ask }
}

/** CV7: statements are compared with each other, so the request is enough to understand them. */
function requestOnly({ deps, input }: Plan): string {
  const accumulated = 'This task needs no more than the request and the statements below.'
  return deps.prompts.render('planner', { request: input.goal, facts: '', accumulated, material: [] })
}

/** A rehearsal without a line for an ask that it need not play. */
function withoutLine(error: unknown): null {
  if (error instanceof ScriptExhausted) return null
  throw error
}

/** Forms that providers enforce, while a reply in plain words is still of use: it is taken, at the latest after one repair. */
const inPlainWords: { [form in ReplyForm]?: { schema: z.ZodType; repairs: 0 | 1 } } = {
  'a view of your own': { schema: viewSchema, repairs: 0 },
  'a synthesis': { schema: synthesisReplySchema, repairs: 1 },
  'findings of a review': { schema: findingsSchema, repairs: 0 },
}

/** Assigns agents round-robin, so that different models work side by side. */
export function agentFor(agents: readonly string[], index: number): string {
  return agents[index % agents.length]!
}
