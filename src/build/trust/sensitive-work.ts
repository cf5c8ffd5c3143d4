/** Reads what work changes, for the rules that look at it before it is merged (TR2, TR11). */
import { isManifestWithScripts, type SensitiveChange, sensitiveChanges } from '../../rules/trust/sensitive-paths.ts'
import type { WorkSize } from '../../rules/trust/work-size.ts'
import type { Repository } from '../../workspace/git/repository.ts'

/** The sensitive paths that differ between two commits or trees, from the top of the repository. */
export async function sensitiveWork(repository: Repository, from: string, to: string): Promise<SensitiveChange[]> {
  const paths = (await repository.changes(from, to)).map(({ path }) => path)
  if (paths.length === 0) return []
  const manifests = paths.filter(isManifestWithScripts)
  const [before, after] = await Promise.all([from, to].map((at) => repository.readFiles(at, manifests)))
  const textIn = (texts: Map<string, Buffer> | undefined, path: string) => texts?.get(path)?.toString('utf8')
  return sensitiveChanges(paths.map((path) => ({ path, before: textIn(before, path), after: textIn(after, path) })))
}

export async function workSize(repository: Repository, from: string, to: string): Promise<WorkSize> {
  const changes = await repository.changes(from, to)
  const kept = changes.filter(({ status }) => status !== 'deleted').map(({ path }) => path)
  const sizes = await repository.fileSizes(to, kept)
  return { files: changes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
