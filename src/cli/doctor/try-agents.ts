/** `convene doctor --try`: asks each configured agent one tiny question, and reports what came back. */
import { connectConfigured } from '../../agents/configured.ts'
import type { Agent, AgentFailure } from '../../kernel/agent.ts'
import type { LoadedConfig } from '../../kernel/config/load.ts'
import { MemoryLineBindings } from '../../kernel/stores/line-bindings.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import type { AgentReport } from './doctor.ts'

/** How long an agent may take; a coding agent starts a process first. */
const limitMs = 120_000

/** What it will cost, to be said first. */
export function costOfTrying({ config }: LoadedConfig): string {
  const agents = Object.values(config.agents)
  const coding = agents.filter(({ provider }) => provider === 'acp').length
  const more = coding > 0 ? `; a coding agent adds its own instructions, often 10,000 tokens and more` : ''
  return `Asking ${agents.length} ${agents.length === 1 ? 'agent' : 'agents'} one tiny question each: about 50 tokens${more}.`
}

/** The reports, with what the agents answered. Agents that cannot be asked stay as they are. */
export async function tryAgents(
  project: LoadedConfig,
  env: NodeJS.ProcessEnv,
  reports: readonly AgentReport[],
): Promise<AgentReport[]> {
  const agents = connectConfigured(project, { env, bindings: new MemoryLineBindings() })
  const names = new Set(Object.keys(project.config.agents))
  try {
    return await Promise.all(
      reports.map(async (report) => {
        const isAsked = names.has(report.name) && report.state === 'ok' && report.provider !== 'rehearsal'
        return isAsked ? { ...report, ...(await tryAgent(agents.get(report.name))) } : report
      }),
    )
  } finally {
    await agents.close()
  }
}

async function tryAgent(agent: Agent): Promise<Pick<AgentReport, 'state' | 'detail' | 'fix'>> {
  const request = {
    kind: 'answer' as const,
    question: { run: 'doctor', step: agent.name, try: 1 },
    messages: [{ role: 'user' as const, content: 'Reply with the single word: ready' }],
    maxOutputTokens: 200,
  }
  const began = Date.now()
  const reply = await agent
    .call(request, { signal: AbortSignal.timeout(limitMs) })
    .catch((): { ok: false; failure: AgentFailure } => ({
      ok: false,
      failure: { reason: 'timeout', message: `did not answer within ${limitMs / 1000} s`, retryable: true },
    }))
  if (reply.ok) {
    const seconds = ((Date.now() - began) / 1000).toFixed(1)
    const { inputTokens, outputTokens } = reply.usage
    const said = oneLine(reply.text, 60)
    return { state: 'ok', detail: `answered "${said}" in ${seconds} s, ${inputTokens + outputTokens} tokens` }
  }
  const [what, ...fix] = reply.failure.message.split('; ')
  const isLogin = reply.failure.configuration === true
  return { state: isLogin ? 'login' : 'missing', detail: what!, ...(fix.length > 0 ? { fix: fix.join('; ') } : {}) }
}
