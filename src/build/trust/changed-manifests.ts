/** Manifests and lock files that differ between two commits or trees, and how set-up may run for them (TR3). */
import { type DependencyChanges, dependencyChanges } from '../../rules/trust/dependency-changes.ts'
import { type SetupMode, setupMode } from '../../rules/trust/setup-mode.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import { isManifest } from '../../workspace/worktrees/manifests.ts'

export interface ChangedManifests extends DependencyChanges {
  /** From the top of the repository. */
  paths: string[]
}

/** Null if no manifest differs. */
export async function changedManifests(
  repository: Repository,
  from: string,
  to: string,
): Promise<ChangedManifests | null> {
  const changed = (await repository.changes(from, to)).map(({ path }) => path)
  const paths = changed.filter((path) => isManifest(path.slice(path.lastIndexOf('/') + 1)))
  if (paths.length === 0) return null
  const [before, after] = await Promise.all([from, to].map((at) => repository.readFiles(at, paths)))
  const textIn = (texts: Map<string, Buffer> | undefined, path: string) => texts?.get(path)?.toString('utf8')
  const texts = paths.map((path) => ({ path, before: textIn(before, path), after: textIn(after, path) }))
  return { paths, ...dependencyChanges(texts) }
}

/** What set-up is compared with: the commit that the user had when the work began. */
export function groundOf({ ground, base }: { ground?: string; base?: string }): string | undefined {
  return ground ?? base
}

export async function setupModeAt(
  repository: Repository,
  input: { ground?: string; base?: string },
  commit: string,
): Promise<SetupMode> {
  const ground = groundOf(input)
  return ground === undefined ? 'plain' : setupMode(await changedManifests(repository, ground, commit))
}
