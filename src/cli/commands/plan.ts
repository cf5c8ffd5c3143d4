/** `convene plan`: one sentence becomes a reviewed design, a test strategy and issues ready to build. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { ConveneError } from '../../kernel/errors.ts'
import type { PlanAdvice } from '../../plan/pipeline/plans.ts'
import { type Mode, modes } from '../../rules/plan/mode.ts'
import { inputError } from '../../rules/schema/rule.ts'
import { connect } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { followPlan, showPlan } from '../follow/follow-plan.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

interface PlanOptions {
  mode?: string
  preset?: string
  answers?: string
  yes?: boolean
  show?: string
}

export async function planCommand(
  context: CommandContext,
  goal: string | undefined,
  options: PlanOptions,
): Promise<number> {
  const client = await connect(context)
  try {
    if (options.show !== undefined) return await showPlan(client, options.show, context.output)
    if (goal === undefined || goal.trim() === '')
      throw new ConveneError('invalid_input', 'goal: there is nothing to plan', {
        path: 'goal',
        expected: 'what should be reached, in a sentence: convene plan "…"',
      })
    const mode = modeOf(options.mode)
    const answers = options.answers === undefined ? [] : readAnswers(options.answers)
    const advice = await client.post<PlanAdvice>('/api/plans/advice', {
      goal,
      ...(options.preset === undefined ? {} : { preset: options.preset }),
    })
    if (!context.output.json) advise(advice, mode, context.output)
    return await untilInterrupted(async (interrupted) => {
      const id = `plan-${randomUUID()}`
      await client.post('/api/plans', {
        goal,
        id,
        answers,
        yes: Boolean(options.yes),
        ...(mode === undefined ? {} : { mode }),
        ...(options.preset === undefined ? {} : { preset: options.preset }),
      })
      return followPlan(client, id, context.output, interrupted)
    })
  } finally {
    await client.close()
  }
}

export function modeOf(said: string | undefined): Mode | undefined {
  if (said === undefined) return undefined
  const mode = modes.find((known) => known === said)
  if (mode) return mode
  throw new ConveneError('usage', `--mode ${said}: there is no such mode`, {
    path: '--mode',
    expected: modes.join(' | '),
  })
}

/** An answer such as 5 or true is meant as it is written. */
const asWords = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)

const answersSchema = z.array(
  z.strictObject({ match: z.string().min(1), answer: z.preprocess(asWords, z.string().min(1)) }),
)

/** A list of `{match, answer}`; the first that fits a question answers it. */
export function readAnswers(file: string): z.infer<typeof answersSchema> {
  let value: unknown
  try {
    value = parse(readFileSync(file, 'utf8')) ?? []
  } catch (error) {
    throw new ConveneError('invalid_answers', `${file}: ${(error as Error).message.split('\n')[0]}`, { path: file })
  }
  const parsed = answersSchema.safeParse(value)
  if (parsed.success) return parsed.data
  // A key that is misspelt is the cause of the one that is missing.
  const unknown = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys') {
    const path = [...unknown.path, unknown.keys[0]].map(String).join('.')
    const details = { path, expected: 'match and answer' }
    throw new ConveneError('invalid_answers', `${file}: ${path}: there is no such key`, details)
  }
  const { message, path, expected } = inputError(parsed.error)
  throw new ConveneError('invalid_answers', `${file}: ${message}`, { path, expected })
}

/** RK: what the goal looks like, and what each mode would take, before anything is started. */
export function advise({ flags, suggestion, estimates }: PlanAdvice, mode: Mode | undefined, output: Output): void {
  output.note(`risk: ${flags.join(', ') || 'none found'}`)
  if (suggestion && suggestion.mode !== mode) output.note(output.style('yellow', suggestion.message))
  for (const { mode: name, calls, tokens, cost } of estimates) {
    // BU1: a price that is not known is said to be, never left out.
    const money = cost === null ? ', cost unknown' : `, about $${cost.toFixed(2)}`
    output.note(
      output.style('dim', `  ${name.padEnd(9)} about ${calls} calls, ${Math.round(tokens / 1000)}k tokens${money}`),
    )
  }
}
