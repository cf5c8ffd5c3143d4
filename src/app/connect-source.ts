/** Connects what agents read of the project. The repository is opened when an agent first reads it. */
import { join } from 'node:path'
import { countTokens } from '../kernel/ask/count-tokens.ts'
import type { LoadedConfig } from '../kernel/config/load.ts'
import { stateFolderOf } from '../kernel/owner-address.ts'
import type { ReadableSource } from '../kernel/project-source.ts'
import type { HeadSources } from '../workspace/source/head-sources.ts'
import type { ReadCheckouts } from '../workspace/source/read-checkouts.ts'

export interface ConnectedSource extends ReadableSource {
  /** Removes all checkouts. */
  close(): Promise<void>
}

export function connectSource(project: LoadedConfig, redact: (text: string) => string): ConnectedSource {
  const { map_tokens: mapTokens, max_steps: maxSteps } = project.config.source
  let opening: Promise<HeadSources> | undefined
  const open = async () => {
    const { HeadSources } = await import('../workspace/source/head-sources.ts')
    const cacheFolder = join(stateFolderOf(project), 'cache')
    return new HeadSources({ folder: project.folder, cacheFolder, mapTokens, countTokens, redact })
  }
  let checkouts: Promise<ReadCheckouts> | undefined
  return {
    maxSteps,
    async checkout(commit) {
      checkouts ??= import('../workspace/source/read-checkouts.ts').then(({ ReadCheckouts }) =>
        ReadCheckouts.open(project.folder, project.config.build.worktrees),
      )
      // A repository that cannot be opened now may be there later.
      checkouts.catch(() => {
        checkouts = undefined
      })
      return (await checkouts).take(commit)
    },
    close: async () => (await checkouts)?.close(),
    async latest() {
      opening ??= open()
      return (await opening).latest()
    },
  }
}
