/** Puts files into a workspace, and never anywhere else. SPEC.md § VF6. */
import { lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { confinePath } from '../rules/path-confinement.ts'

/** Writes all files or, where one would lie outside, none: then it returns what was wrong. `null` deletes. */
export async function writeFiles(
  workspace: string,
  files: readonly (readonly [path: string, content: string | null])[],
): Promise<string | null> {
  const root = await realpath(workspace)
  const targets: { target: string; content: string | null }[] = []
  for (const [path, content] of files) {
    const confined = confinePath(path)
    if (!confined.inside) return `the path "${path}" ${confined.why}`
    const target = join(root, confined.path)
    if (!(await staysInside(root, target))) return `the path "${path}" leads out of the workspace through a link`
    targets.push({ target, content })
  }
  for (const { target, content } of targets) {
    if (content === null) await rm(target, { recursive: true, force: true })
    else {
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, content)
    }
  }
  return null
}

/** Where the nearest part that exists really lies. A link whose target is missing counts as leading out. */
async function staysInside(root: string, target: string): Promise<boolean> {
  for (let path = target; path !== root; path = dirname(path)) {
    const real = await realpath(path).catch(() => null)
    if (real !== null) return real === root || real.startsWith(root + sep)
    if (await isLink(path)) return false
  }
  return true
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )
}
