/** What stands in the environment of an agent's processes. */
import { presets } from '../../../src/agents/acp/presets.ts'
import type { RealCli } from './clis.ts'

/** In Convene's own environment, and for no agent. */
export const secrets = {
  GITHUB_TOKEN: 'secret-of-the-forge',
  DATABASE_URL: 'secret-of-the-database',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-cloud',
  CONVENE_TOKEN: 'secret-of-convene',
  MISTRAL_API_KEY: 'secret-of-another-provider',
}

/** The contract's list, what `env` adds, and what a shell sets when it starts a program. */
const common = /^(?:PATH|HOME|LANG|TERM|CONVENE_DEPTH|(?:https?|all|no)_proxy|PWD|OLDPWD|SHLVL|_)$/i

/** The names that neither the contract nor the configuration's `env` gives this agent. */
export function foreignNames(names: readonly string[], { agent }: RealCli, env: Record<string, string>): string[] {
  const { prefixes } = presets[agent]
  const isOwn = (name: string) => common.test(name) || name in env || prefixes.some((prefix) => name.startsWith(prefix))
  return names.filter((name) => !isOwn(name))
}
