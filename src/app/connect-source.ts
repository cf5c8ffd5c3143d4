/** Connects what agents read of the project. The repository is opened when an agent first reads it. */
import { join } from 'node:path'
import { countTokens } from '../kernel/ask/count-tokens.ts'
import type { LoadedConfig } from '../kernel/config/load.ts'
import { stateFolderOf } from '../kernel/owner-address.ts'
import type { SourceState } from '../kernel/project-source.ts'
import type { HeadSources } from '../workspace/source/head-sources.ts'

export interface ConnectedSource {
  /** The source at HEAD now. */
  latest(): Promise<SourceState>
  /** How many model replies, tool calls included, one ask may take. */
  maxSteps: number
}

export function connectSource(project: LoadedConfig, redact: (text: string) => string): ConnectedSource {
  const { map_tokens: mapTokens, max_steps: maxSteps } = project.config.source
  let opening: Promise<HeadSources> | undefined
  const open = async () => {
    const { HeadSources } = await import('../workspace/source/head-sources.ts')
    const cacheFolder = join(stateFolderOf(project), 'cache')
    return new HeadSources({ folder: project.folder, cacheFolder, mapTokens, countTokens, redact })
  }
  return {
    maxSteps,
    async latest() {
      opening ??= open()
      return (await opening).latest()
    },
  }
}
