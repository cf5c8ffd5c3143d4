/** `convene plan`: turns a goal into a reviewed design, a test strategy and issues to build. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConveneError } from '../../kernel/errors.ts'
import { parseYaml } from '../../kernel/safe-yaml.ts'
import type { PlanAdvice } from '../../plan/pipeline/plans.ts'
import { type AskedMode, askedModes } from '../../rules/plan/mode.ts'
import { inputError } from '../../rules/schema/rule.ts'
import { connect } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { followPlan, showPlan } from '../follow/follow-plan.ts'
import { fileProblem } from './arguments.ts'
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
      throw new ConveneError('invalid_input', 'goal: the goal is empty', {
        path: 'goal',
        expected: 'the goal in a sentence: convene plan "…"',
      })
    const mode = modeOf(options.mode)
    const answers = options.answers === undefined ? [] : readAnswers(options.answers)
    const preset = options.preset === undefined ? {} : { preset: options.preset }
    const advice = await client.call('POST /api/plans/advice', { body: { goal, ...preset } })
    if (!context.output.json) advise(advice, mode ?? advice.mode, context.output)
    return await untilInterrupted(async (interrupted) => {
      const id = `plan-${randomUUID()}`
      await client.call('POST /api/plans', {
        body: { goal, id, answers, yes: Boolean(options.yes), ...(mode === undefined ? {} : { mode }), ...preset },
      })
      return followPlan(client, id, context.output, interrupted)
    })
  } finally {
    await client.close()
  }
}

export function modeOf(said: string | undefined): AskedMode | undefined {
  if (said === undefined) return undefined
  const mode = askedModes.find((known) => known === said)
  if (mode) return mode
  throw new ConveneError('usage', `--mode ${said}: unknown mode`, {
    path: '--mode',
    expected: askedModes.join(' | '),
  })
}

/** Takes an answer such as 5 or true literally. */
const asWords = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)

const answersSchema = z.array(
  z.strictObject({ match: z.string().min(1), answer: z.preprocess(asWords, z.string().min(1)) }),
)

/** Reads a list of `{match, answer}`; the first match answers a question. */
export function readAnswers(file: string): z.infer<typeof answersSchema> {
  let value: unknown
  try {
    value = parseYaml(readFileSync(file, 'utf8')) ?? []
  } catch (error) {
    throw new ConveneError('invalid_answers', `${file}: ${fileProblem(error)}`, { path: file })
  }
  const parsed = answersSchema.safeParse(value)
  if (parsed.success) return parsed.data
  // A misspelt key also shows up as a missing one: report the cause.
  const unknown = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys') {
    const path = [...unknown.path, unknown.keys[0]].map(String).join('.')
    const details = { path, expected: 'match and answer' }
    throw new ConveneError('invalid_answers', `${file}: ${path}: unknown key`, details)
  }
  const { message, path, expected } = inputError(parsed.error)
  throw new ConveneError('invalid_answers', `${file}: ${message}`, { path, expected })
}

/** RK: prints the risks of the goal and an estimate for each mode before anything starts. */
export function advise({ flags, suggestion, estimates, auto }: PlanAdvice, mode: AskedMode, output: Output): void {
  output.note(`risk: ${flags.join(', ') || 'none found'}`)
  if (mode === 'auto') output.note(`mode: ${auto.mode} (${auto.because}; --mode chooses another)`)
  const chosen = mode === 'auto' ? auto.mode : mode
  if (suggestion && suggestion.mode !== chosen) output.note(output.style('yellow', suggestion.message))
  for (const one of estimates) {
    const isOwn = one.mode === chosen
    const { mode: name, calls, tokens, cost } = isOwn && mode === 'auto' ? auto.estimate : one
    // BU1: an unknown price is shown as unknown.
    const money = cost === null ? ', cost unknown' : `, about $${cost.toFixed(2)}`
    const line = `  ${name.padEnd(9)} about ${calls} asks, ${Math.round(tokens / 1000)}k tokens${money}`
    output.note(isOwn ? `${line} · this plan` : output.style('dim', line))
  }
}
