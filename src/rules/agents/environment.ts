/** Which variables of the environment a coding agent gets. SPEC.md § AG1. */

import { depthVariable, nestingDepth } from '../mcp/nested.ts'

type Variables = Readonly<Record<string, string | undefined>>

const always = /^(?:PATH|HOME|LANG|TERM)$/
/** A proxy's address may contain a password, but without it there is no network. */
const proxies = /^(?:https?|all|no)_proxy$/i

export interface EnvironmentRequest {
  /** The environment of Convene itself. */
  env: Variables
  /** How the names of the preset's own variables begin, such as `CODEX_`. Without a preset there are none. */
  prefixes: readonly string[]
  /** What the configuration adds. */
  added: Readonly<Record<string, string>>
}

export function agentEnvironment({ env, prefixes, added }: EnvironmentRequest): Record<string, string> {
  const isOwn = (name: string) =>
    always.test(name) || proxies.test(name) || prefixes.some((prefix) => name.startsWith(prefix))
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isOwn(name) ? [[name, value] as const] : [],
  )
  return { ...Object.fromEntries(passed), ...added, [depthVariable]: String(nestingDepth(env[depthVariable]) + 1) }
}
