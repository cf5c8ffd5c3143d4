/** Runs one tool call for a model: validates its input, reports activity meanwhile, and logs the call. */
import type { ToolCall } from '../../kernel/agent.ts'
import { inputError } from '../../rules/schema/rule.ts'
import { shortenMiddle } from './shorten.ts'
import { refused, type Tool, type ToolAnswer } from './tool.ts'

/** The limit for every tool's answer, in characters. */
const maxAnswer = 50_000
const heartbeatMs = 1000

export interface ToolReports {
  onActivity?: () => void
  onTool?: (call: ToolCall) => void
}

/** Resolves with the answer for the model. Rejects only if `signal` aborts. */
export async function useTool<Input, Deps extends { signal: AbortSignal }>(
  tool: Tool<Input, Deps>,
  given: unknown,
  deps: Deps,
  { onActivity, onTool }: ToolReports = {},
): Promise<ToolAnswer> {
  const { signal } = deps
  signal.throwIfAborted()
  const began = performance.now()
  const heartbeat = setInterval(() => onActivity?.(), heartbeatMs)
  const report = (summary: string, answer: ToolAnswer, file?: string) => {
    const milliseconds = Math.round(performance.now() - began)
    const read = answer.ok && file !== undefined ? { file } : {}
    onTool?.({ tool: tool.name, summary, ok: answer.ok, milliseconds, ...read })
    return { ok: answer.ok, text: shortenMiddle(answer.text, maxAnswer) }
  }
  try {
    const parsed = tool.input.safeParse(withoutNulls(given))
    if (!parsed.success) return report(`${tool.name} with wrong arguments`, refused(inputError(parsed.error).message))
    const answer = await untilAborted(tool.use(parsed.data, deps).catch(asRefusal), signal)
    return report(tool.summary(parsed.data, answer), answer, tool.reads?.(parsed.data))
  } finally {
    clearInterval(heartbeat)
    onActivity?.()
  }
}

/** Models set omitted properties to null. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function asRefusal(error: unknown): ToolAnswer {
  return refused(error instanceof Error ? error.message : String(error))
}

/** A command that ignores the signal must not delay the stop. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const result = await Promise.race([work, aborted])
    signal.throwIfAborted()
    return result
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
