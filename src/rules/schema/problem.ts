/** Something found wrong with an agent's work: the rule it breaks, in words the agent can act on. */
export interface Problem {
  rule: string
  message: string
  /** The file, or the field of the reply, that it is about. */
  path?: string
  /** The tests that failed, where the runner names them. */
  tests?: string[]
}
