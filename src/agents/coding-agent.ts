/** A coding agent of the configuration: over the agent client protocol, or in its own headless mode (AG6). */
import type { Agent } from '../kernel/agent.ts'
import { wayOfAsking } from '../rules/agents/way-of-asking.ts'
import { type CodingAgentDeps, type CodingAgentSettings, createCodingAgent } from './acp/acp.ts'
import { programOf } from './acp/program.ts'
import { createHeadlessAgent, headlessProgram } from './headless/headless-agent.ts'

export interface ConnectedCodingAgentSettings extends CodingAgentSettings {
  /** Never over the protocol. */
  headless?: boolean
}

/** Checks what is installed for every ask: a person may have installed it meanwhile. */
export function connectCodingAgent(settings: ConnectedCodingAgentSettings, deps: CodingAgentDeps): Agent {
  const overProtocol = createCodingAgent(settings, deps)
  const { agent, command, headless = false } = settings
  if (agent === undefined) return overProtocol
  const own = { ...settings, agent }
  const asHeadless = createHeadlessAgent(own, deps)
  const { env, baseDir } = deps
  const current = () => {
    const hasAdapter = programOf(settings, env, baseDir).missing === undefined
    // A command of the user's own is what it is configured to be.
    const hasHeadless =
      headless || (command === undefined && headlessProgram(own, env, baseDir, false).missing === undefined)
    return wayOfAsking({ wantsHeadless: headless, hasAdapter, hasHeadless }) === 'headless' ? asHeadless : overProtocol
  }
  return {
    ...overProtocol,
    call: (request, options) => current().call(request, options),
    async close() {
      await overProtocol.close?.()
      await asHeadless.close?.()
    },
  }
}
