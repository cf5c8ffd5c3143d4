/** Asks agents one tiny question each, and reports what came back. */
import type { Agent, AgentFailure } from '../../kernel/agent.ts'
import type { LoadedConfig } from '../../kernel/config/load.ts'
import { MemoryLineBindings } from '../../kernel/stores/line-bindings.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { connectConfigured } from '../configured.ts'
import type { AgentReport } from './agent-reports.ts'

/** How long an agent may take; a coding agent starts a process first. */
const limitMs = 120_000

/** Rehearsal agents answer from a script, and an agent that lacks something is not asked. */
const isAsked = ({ state, provider }: AgentReport) => state === 'ok' && provider !== 'rehearsal'

/** What it will cost, to be said first; null if nobody is asked. */
export function costOfTrying(reports: readonly AgentReport[], { config }: LoadedConfig): string | null {
  const asked = reports.filter(isAsked)
  if (asked.length === 0) return null
  const coding = asked.filter(({ provider }) => provider === 'acp').length
  const models = asked.length - coding
  const tokens = [
    ...(models > 0 ? ['about 50 tokens for a model'] : []),
    ...(coding > 0 ? ['often 10,000 tokens and more for a coding agent, which adds its own instructions'] : []),
  ]
  const isPriced = asked.every(({ name }) => config.agents[name]?.price !== undefined)
  const money = isPriced ? `; about $${usdOf(asked, config.agents).toFixed(4)}` : ", at your providers' prices"
  const each = asked.length > 1 ? ' each' : ''
  return `Asking ${asked.map(({ name }) => name).join(', ')} one tiny question${each}: ${tokens.join(', ')}${money}.`
}

function usdOf(asked: readonly AgentReport[], agents: LoadedConfig['config']['agents']): number {
  return asked.reduce((sum, { name, provider }) => {
    const { input, output } = agents[name]!.price!
    return sum + ((provider === 'acp' ? 10_000 : 40) * input + 10 * output) / 1_000_000
  }, 0)
}

/** The reports, with what the agents answered. Agents that cannot be asked stay as they are. */
export async function tryAgents(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  reports: readonly AgentReport[],
  options: { signal?: AbortSignal } = {},
): Promise<AgentReport[]> {
  if (!reports.some(isAsked)) return [...reports]
  const agents = connectConfigured(project, { env, bindings: new MemoryLineBindings() })
  try {
    return await Promise.all(
      reports.map(async (report) =>
        isAsked(report) ? { ...report, ...(await tryAgent(agents.get(report.name), options.signal)) } : report,
      ),
    )
  } finally {
    await agents.close()
  }
}

async function tryAgent(
  agent: Agent,
  stop?: AbortSignal,
): Promise<Pick<AgentReport, 'state' | 'detail'> & { fix: string | undefined }> {
  const request = {
    kind: 'answer' as const,
    question: { run: 'doctor', step: agent.name, try: 1 },
    messages: [{ role: 'user' as const, content: 'Reply with the single word: ready' }],
    maxOutputTokens: 200,
  }
  const began = performance.now()
  const limit = AbortSignal.timeout(limitMs)
  const signal = stop ? AbortSignal.any([limit, stop]) : limit
  const reply = await agent.call(request, { signal }).catch((error): { ok: false; failure: AgentFailure } => {
    if (!limit.aborted) throw error
    const message = `agent "${agent.name}" did not answer within ${limitMs / 1000} s`
    return { ok: false, failure: { reason: 'timeout', message, retryable: true } }
  })
  if (reply.ok) {
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const { inputTokens, outputTokens, usd, estimated } = reply.usage
    const spent = `${inputTokens + outputTokens} tokens${estimated ? ' (estimated)' : ''}`
    const money = usd === null ? '' : `, $${usd.toFixed(4)}`
    return {
      state: 'ok',
      detail: `answered "${oneLine(reply.text, 60)}" in ${seconds} s, ${spent}${money}`,
      fix: undefined,
    }
  }
  const { message, lacks } = reply.failure
  const [what, ...fix] = message.split('; ')
  const state = lacks === 'login' ? 'login' : lacks === 'version' ? 'old' : 'missing'
  return { state, detail: what!, fix: fix.length > 0 ? fix.join('; ').replace(/^run: /, '') : undefined }
}
