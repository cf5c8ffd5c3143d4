/** The files of the project, listed for completion and for folders that a message attaches. */
import { walk } from '../../agents/tools/walk.ts'
import type { ProjectFiles } from './read-attachments.ts'

/** Typing a path asks for the list again and again; it may be this old. */
const maxAgeMs = 2000
/** Outside a repository nothing is ignored, so the walk needs a limit. */
const mostWalked = 20_000

interface Repository {
  /** Null outside a repository. */
  list(folder: string): Promise<string[] | null>
  hasChanged(folder: string, path: string): Promise<boolean>
}

export function projectFiles(folder: string, repository: Repository, { isShared = false } = {}): ProjectFiles {
  let listed: { at: number; paths: Promise<string[]> } | undefined
  return {
    folder,
    list() {
      if (!listed || Date.now() - listed.at > maxAgeMs) {
        const paths = repository
          .list(folder)
          .catch(() => null)
          .then((tracked) => tracked ?? walked(folder))
        listed = { at: Date.now(), paths }
      }
      return listed.paths
    },
    isShared,
    hasChanged: (path) => repository.hasChanged(folder, path).catch(() => false),
  }
}

function walked(folder: string): string[] {
  const paths: string[] = []
  for (const { path, kind } of walk(folder, '')) {
    if (kind === 'file' && !path.startsWith('.convene/')) paths.push(path)
    if (paths.length >= mostWalked) break
  }
  return paths
}
