/** Whether this project's commands run in a sandbox here, found out by running one as a build does. */

import type { LoadedConfig } from '../kernel/config/load.ts'
import { stateFolderOf } from '../kernel/owner-address.ts'
import { Commands } from '../workspace/commands/command.ts'

export type SandboxReport = Awaited<ReturnType<Commands['sandboxState']>>

export function sandboxState(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<SandboxReport> {
  const { sandbox, env: allowEnv } = project.config.build
  return new Commands({ sandbox, env, allowEnv, hide: [stateFolderOf(project), project.folder] }).sandboxState()
}
