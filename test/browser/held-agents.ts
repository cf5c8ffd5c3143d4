/** Agents that answer only when the test lets them, so that it can check the page in between. */
import { eventually } from '../support/browser.ts'
import type { Served } from '../support/server.ts'

interface Held {
  agent: string
  kind: string
  release(): void
  spoken: Promise<unknown>
}

export interface HeldAgents {
  /** Waits until this agent has been asked, lets it answer, and resolves once it has. */
  letSpeak(agent: string): Promise<void>
  /** The agents that have been asked and are held, in order. */
  asked(): string[]
}

export interface HoldOptions {
  /** Only these asks are held. */
  kinds?: string[]
  /** Aborted asks still answer, late. */
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
