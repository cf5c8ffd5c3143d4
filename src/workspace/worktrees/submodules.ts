/**
 * Fills a slot's submodules if the user's checkout has them. Files come from the repositories that the user already
 * has, never from a URL: a `.gitmodules` written by an agent is not read.
 */
import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type GitRequest, git, runGit } from '../git/git.ts'
import { readTreeEntries } from '../git/git-output.ts'
import { removeTree } from '../remove-tree.ts'

export interface Gitlink {
  path: string
  commit: string
}

/** The submodules of a commit. */
export async function gitlinksOf(request: GitRequest, commit: string): Promise<Gitlink[]> {
  const entries = readTreeEntries(await git(['ls-tree', '-r', '-z', '--full-tree', commit], request))
  return entries.filter(({ type }) => type === 'commit').map(({ path, hash }) => ({ path, commit: hash }))
}

/** Plain files without a `.git`: there is nothing to commit into, and nothing to unregister afterwards. */
export async function fillSubmodules(
  links: readonly Gitlink[],
  { checkout, slot, indexes }: { checkout: string; slot: string; indexes: string },
): Promise<void> {
  for (const { path, commit } of links) {
    const folder = await makeRealFolder(slot, path)
    const module = await moduleFolder(join(checkout, path))
    if (module === null) {
      await empty(folder)
      continue
    }
    await mkdir(indexes, { recursive: true })
    const index = join(indexes, createHash('sha256').update(folder).digest('hex').slice(0, 16))
    const request = { folder, env: { GIT_DIR: module, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index } }
    const isKnown = await runGit(['cat-file', '-e', `${commit}^{commit}`], request)
    if (isKnown.code !== 0) {
      await empty(folder)
      continue
    }
    await git(['read-tree', '--reset', '-u', commit], request)
    await git(['clean', '-ffdxq'], request)
    const inner = await gitlinksOf(request, commit)
    await fillSubmodules(inner, { checkout: join(checkout, path), slot: folder, indexes })
  }
}

/** The git folder of the user's copy of the submodule; null if it is not checked out. */
async function moduleFolder(folder: string): Promise<string | null> {
  const place = join(folder, '.git')
  const stats = await stat(place).catch(() => null)
  if (stats?.isDirectory()) return place
  if (!stats?.isFile()) return null
  const target = /^gitdir: (.*)$/m.exec(await readFile(place, 'utf8'))?.[1]
  return target === undefined ? null : realpath(resolve(folder, target)).catch(() => null)
}

/** From the top down: a link in place of a folder would redirect the files, and a `.git` would be mistaken for the submodule's. */
async function makeRealFolder(slot: string, path: string): Promise<string> {
  let folder = slot
  for (const segment of path.split('/')) {
    folder = join(folder, segment)
    const stats = await lstat(folder).catch(() => null)
    if (stats && !stats.isDirectory()) await removeTree(folder)
    await mkdir(folder, { recursive: true })
  }
  await removeTree(join(folder, '.git'))
  return folder
}

/** An unknown submodule is an empty folder, as in a fresh clone. */
async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await removeTree(join(folder, name))
}
