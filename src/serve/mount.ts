/** A protocol of its own beside the API, such as MCP: one path that hands whole requests to a handler. */
import type { Person } from '../rules/team/roles.ts'

/** The caller: Convene acts with their token. */
export interface MountCaller {
  token: string
  person: Person
}

interface MountBase {
  /** As `/mcp`. */
  path: string
  /** Ends open streams and calls when the server closes. */
  close?(): Promise<void>
}

/** `public`: answers without a token, and knows of no caller. */
export type Mount = MountBase &
  (
    | { public: true; handle(request: Request): Promise<Response> }
    | { public?: never; handle(request: Request, caller: MountCaller): Promise<Response> }
  )
