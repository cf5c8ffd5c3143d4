/** A caller from outside that waits for work of the project: the client of an MCP or A2A server. */
import type { ApiClient } from '../serve/call.ts'

export interface Caller {
  /** Connects to the owner of the project on first use. */
  owner(): Promise<ApiClient>
  /** Aborts when the caller cancels; what was started for it is stopped. */
  signal: AbortSignal
  /** Aborts when the server shuts down: nobody waits any more, and the work continues. */
  left?: AbortSignal
  /** Tells the caller what is under way. */
  progress(message: string): void
  /** Keeps the connection to the owner until this run ends or is parked by an event after `after`. */
  track(run: string, after?: number): void
}
