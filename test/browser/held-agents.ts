/** Agents that speak when the test lets them: whatever is shown in between can be looked at in peace. */
import { eventually } from '../support/browser.ts'
import type { Served } from '../support/server.ts'

interface Held {
  agent: string
  kind: string
  release(): void
  spoken: Promise<unknown>
}

export interface HeldAgents {
  /** Waits until this agent has been asked, and lets it answer. Resolves once it has. */
  letSpeak(agent: string): Promise<void>
  /** Who has been asked and is being held, in order. */
  asked(): string[]
}

export interface HoldOptions {
  /** Only these questions are held. */
  kinds?: string[]
  /** Those that are told to stop answer all the same, late. */
  deaf?: boolean
}

export function holdAgents(served: Served, { kinds, deaf = false }: HoldOptions = {}): HeldAgents {
  const waiting: Held[] = []
  for (const name of served.app.agents.names()) {
    const agent = served.app.agents.get(name)
    const call = agent.call.bind(agent)
    agent.call = (request, options) => {
      if (kinds && !kinds.includes(request.kind)) return call(request, options)
      const gate = Promise.withResolvers<void>()
      const heard = deaf ? { ...options, signal: new AbortController().signal } : options
      if (!deaf) options.signal.addEventListener('abort', () => gate.resolve(), { once: true })
      const spoken = gate.promise.then(() => call(request, heard))
      waiting.push({ agent: name, kind: request.kind, release: gate.resolve, spoken })
      return spoken
    }
  }
  const asked = () => waiting.map(({ agent }) => agent)
  return {
    asked,
    async letSpeak(agent) {
      await eventually(asked).toContain(agent)
      const [held] = waiting.splice(asked().indexOf(agent), 1)
      held!.release()
      await held!.spoken
    },
  }
}
