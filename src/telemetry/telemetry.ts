/** OpenTelemetry: spans of runs, steps, commands and calls to agents, if an endpoint is set. Never disturbs a run. */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../kernel/agent.ts'
import type { RunMoment } from '../kernel/engines/run-deps.ts'
import type { Store } from '../kernel/store.ts'
import { version } from '../kernel/version.ts'
import { traced } from './agent-spans.ts'
import { connectOtlp } from './otlp.ts'
import { RunSpans } from './run-spans.ts'
import { shownAddress, telemetrySettings } from './settings.ts'

export interface Telemetry {
  observe(moment: RunMoment): void
  /** The agent with a span around each call. */
  watch(agent: Agent): Agent
  close(): Promise<void>
}

export interface TelemetryOptions {
  env: Readonly<Record<string, string | undefined>>
  content: boolean
  redactText(text: string): string
  note(line: string): void
}

/** Null if no endpoint is set. `follow` begins once there is a store. */
export function startTelemetry(options: TelemetryOptions): (Telemetry & { follow(store: Store): void }) | null {
  const { env, content, redactText, note } = options
  const settings = telemetrySettings(env)
  if (!settings.on) {
    if (settings.problem) note(`telemetry is off: ${settings.problem}`)
    return null
  }
  const { url, protocol, serviceName } = settings
  const otlp = connectOtlp({
    url,
    protocol,
    version: version(),
    serviceName,
    onProblem: (words) =>
      note(`telemetry: spans could not be sent to ${shownAddress(url)} (${words.split('\n')[0]}); work continues`),
  })
  const runs = new RunSpans(otlp.send, { salt: randomUUID(), content })
  const now = () => Date.now()
  const watched = new Map<Agent, Agent>()
  let unsubscribe = () => {}
  return {
    observe: (moment) => harmless(() => runs.observe(moment, now())),
    follow(store) {
      unsubscribe = store.subscribe((event) => harmless(() => runs.see(event)))
    },
    watch(agent) {
      const known = watched.get(agent) ?? traced(agent, { sink: otlp.send, runs, content, redactText, now })
      watched.set(agent, known)
      return known
    },
    async close() {
      unsubscribe()
      harmless(() => runs.end(now()))
      await otlp.close()
    },
  }
}

/** A mistake here must not reach the engine or the store. */
function harmless(work: () => void): void {
  try {
    work()
  } catch {
    // The span is lost.
  }
}
