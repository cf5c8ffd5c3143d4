/** A problem with an agent's work: the rule it breaks, and a message the agent can act on. */
export interface Problem {
  rule: string
  message: string
  /** The file or the field of the reply. */
  path?: string
  /** The failed tests, if the runner names them. */
  tests?: string[]
}
