/** Starts the coding agents that a command is about to ask, while the rest of Convene is loaded. */
import type { LoadedConfig } from '../kernel/config/load.ts'
import { memoryOf } from './acp/presets.ts'
import { ProcessPool } from './acp/process-pool.ts'
import { programOf } from './acp/program.ts'

/** `names` are those that the command names; without any, the only agent of the project is meant. */
export function warmAgents(
  { config, folder }: LoadedConfig,
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): ProcessPool {
  const pool = new ProcessPool()
  const members = Object.keys(config.agents).filter((name) => !config.agents[name]!.helper)
  const asked = names.length > 0 ? names : members.length === 1 ? members : []
  for (const key of asked) {
    const settings = config.agents[key]
    if (settings?.provider !== 'acp' || settings.headless) continue
    const program = programOf(settings, env, folder)
    if (!program.missing) pool.warm({ key, program, memoryMb: memoryOf(settings.agent) })
  }
  return pool
}
