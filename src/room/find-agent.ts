/** Finds an agent by name. An agent that is no longer configured fails when asked, as if it could not be reached. */
import type { Agent } from '../kernel/agent.ts'
import { noUsage } from '../kernel/ask/usage.ts'
import type { RoomDeps } from './deps.ts'

/** A waiting run may name an agent that was since removed from the configuration; the run must still end. */
export function findAgent(deps: RoomDeps, name: string): Agent {
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
