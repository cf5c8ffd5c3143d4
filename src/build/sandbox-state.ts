/** Whether this project's commands run in a sandbox here, found out by running one as a build does. */

import type { LoadedConfig } from '../kernel/config/load.ts'
import { stateFolderOf } from '../kernel/owner-address.ts'
import { commandLimits } from '../rules/trust/command-limits.ts'
import { commandReach } from '../rules/trust/command-reach.ts'
import { findCgroup } from '../workspace/commands/cgroup.ts'
import { Commands } from '../workspace/commands/command.ts'
import { commandEnvironment } from '../workspace/commands/command-environment.ts'
import { toolchains } from '../workspace/commands/toolchains.ts'

export interface SandboxReport extends Awaited<ReturnType<Commands['sandboxState']>> {
  /** What a command could read, write, reach and use, in a line each. */
  reach?: ReturnType<typeof commandReach>
}

export async function sandboxState(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<SandboxReport> {
  const { sandbox, env: allowEnv, limits, share } = project.config.build
  const commands = new Commands({ sandbox, env, allowEnv, hide: [stateFolderOf(project), project.folder] })
  const state = await commands.sandboxState()
  if (!state.available && sandbox !== 'off') return state
  const ofCommands = commandEnvironment(env, allowEnv)
  const place = {
    toolchains: toolchains(ofCommands),
    shared: share,
    limits: commandLimits(limits),
    cgroup: (await findCgroup(ofCommands))?.keeps ?? null,
  }
  return {
    ...state,
    reach: commandReach({ ...place, ...(sandbox === 'off' || !state.kind ? {} : { sandbox: state.kind }) }),
  }
}
