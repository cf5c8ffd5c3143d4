/** Uses one tool for a model: checks what it was given, keeps it alive in its asker's eyes, and tells the log. */
import { inputError } from '../../rules/schema/rule.ts'
import { shortenMiddle } from './shorten.ts'
import { refused, type ToolAnswer, type ToolDeps, type WorkspaceTool } from './tool.ts'

/** No tool's answer is longer, whatever it is about. */
const longestAnswer = 50_000
const heartbeatMs = 1000

export interface ToolUse extends ToolDeps {
  onActivity?: () => void
}

/** Resolves with what the model is told. Rejects only where `signal` aborts. */
export async function useTool<Input>(tool: WorkspaceTool<Input>, given: unknown, deps: ToolUse): Promise<ToolAnswer> {
  const { workspace, signal, onActivity } = deps
  signal.throwIfAborted()
  const began = performance.now()
  const heartbeat = setInterval(() => onActivity?.(), heartbeatMs)
  const tell = (summary: string, answer: ToolAnswer) => {
    const milliseconds = Math.round(performance.now() - began)
    workspace.onTool?.({ tool: tool.name, summary, ok: answer.ok, milliseconds })
    return { ok: answer.ok, text: shortenMiddle(answer.text, longestAnswer) }
  }
  try {
    const parsed = tool.input.safeParse(withoutNulls(given))
    if (!parsed.success) return tell(`${tool.name} with wrong arguments`, refused(inputError(parsed.error).message))
    const answer = await untilAborted(tool.use(parsed.data, deps).catch(asRefusal), signal)
    return tell(tool.summary(parsed.data, answer), answer)
  } finally {
    clearInterval(heartbeat)
    onActivity?.()
  }
}

/** Models write null for what they leave out. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function asRefusal(error: unknown): ToolAnswer {
  return refused(error instanceof Error ? error.message : String(error))
}

/** A command that does not heed its signal must not hold up the stop. */
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
