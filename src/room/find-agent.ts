/** The agent of that name. One that is no longer configured fails when it is asked, like any that cannot be reached. */
import type { Agent } from '../kernel/agent.ts'
import { noUsage } from '../kernel/ask/usage.ts'
import type { RoomDeps } from './deps.ts'

/** A run that waits may name an agent that has since been taken out of the configuration; it must still come to an end. */
export function agentOf(deps: RoomDeps, name: string): Agent {
  try {
    return deps.agent(name)
  } catch (error) {
    return absent(name, error instanceof Error ? error.message : String(error))
  }
}

function absent(name: string, message: string): Agent {
  return {
    name,
    provider: 'none',
    rehearsal: false,
    call: async () => ({
      ok: false,
      failure: { reason: 'unavailable', message, retryable: false },
      partialText: '',
      usage: noUsage,
    }),
  }
}
