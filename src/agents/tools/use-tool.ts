/** Runs one tool call for a model: validates its input, reports activity meanwhile, and logs the call. */
import { inputError } from '../../rules/schema/rule.ts'
import { shortenMiddle } from './shorten.ts'
import { refused, type ToolAnswer, type ToolDeps, type WorkspaceTool } from './tool.ts'

/** The limit for every tool's answer, in characters. */
const maxAnswer = 50_000
const heartbeatMs = 1000

export interface ToolUse extends ToolDeps {
  onActivity?: () => void
}

/** Resolves with the answer for the model. Rejects only if `signal` aborts. */
export async function useTool<Input>(tool: WorkspaceTool<Input>, given: unknown, deps: ToolUse): Promise<ToolAnswer> {
  const { workspace, signal, onActivity } = deps
  signal.throwIfAborted()
  const began = performance.now()
  const heartbeat = setInterval(() => onActivity?.(), heartbeatMs)
  const report = (summary: string, answer: ToolAnswer) => {
    const milliseconds = Math.round(performance.now() - began)
    workspace.onTool?.({ tool: tool.name, summary, ok: answer.ok, milliseconds })
    return { ok: answer.ok, text: shortenMiddle(answer.text, maxAnswer) }
  }
  try {
    const parsed = tool.input.safeParse(withoutNulls(given))
    if (!parsed.success) return report(`${tool.name} with wrong arguments`, refused(inputError(parsed.error).message))
    const answer = await untilAborted(tool.use(parsed.data, deps).catch(asRefusal), signal)
    return report(tool.summary(parsed.data, answer), answer)
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
