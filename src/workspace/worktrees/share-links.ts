/** Links shared paths of the user's checkout into a slot, such as `.env` or downloaded models. */
import { lstat, mkdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConveneError } from '../../kernel/errors.ts'
import { confinePath } from '../../rules/build/path-confinement.ts'

/** Normalises the paths. Throws for a path outside the project. */
export function sharedPaths(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const confined = confinePath(path)
    if (confined.inside) return confined.path
    throw new ConveneError('wrong_share', `the shared path "${path}" ${confined.why}`, {
      path: 'build.share',
      expected: 'a path inside the project',
    })
  })
}

/**
 * Skips paths that the commit contains or the user does not have. Returns the paths that are
 * links now.
 */
export async function linkShared(from: string, to: string, paths: readonly string[]): Promise<string[]> {
  const linked: string[] = []
  for (const path of paths) {
    const source = join(from, path)
    const target = join(to, path)
    if (!(await lstat(source).catch(() => null))) continue
    if (!(await lstat(target).catch(() => null))) {
      await mkdir(dirname(target), { recursive: true })
      await symlink(source, target)
    }
    if ((await readlink(target).catch(() => null)) === source) linked.push(path)
  }
  return linked
}
