/** Locates and writes files in a workspace, and never outside it. SPEC.md § VF6. */
import { lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { confinePath } from '../../rules/build/path-confinement.ts'

/** `path` as shown to people, `target` its real location, whether or not it exists yet. */
export type Located = { ok: true; path: string; target: string } | { ok: false; problem: string }

/** Follows links, but not out of the workspace and not into .git. */
export async function locate(workspace: string, path: string): Promise<Located> {
  const confined = confinePath(path)
  if (!confined.inside) return { ok: false, problem: `the path "${path}" ${confined.why}` }
  const root = await realpath(workspace)
  const target = await realPath(root, join(root, confined.path))
  if (target === null) return { ok: false, problem: `the path "${path}" leads out of the workspace through a link` }
  const real = relative(root, target).split(sep).join('/')
  if (real !== '' && !confinePath(real).inside)
    return { ok: false, problem: `the path "${path}" leads into a .git folder through a link` }
  return { ok: true, path: confined.path, target }
}

/** Writes all files or, if one lies outside, none and returns the problem. `null` deletes a file. */
export async function writeFiles(
  workspace: string,
  files: readonly (readonly [path: string, content: string | null])[],
): Promise<string | null> {
  const root = await realpath(workspace)
  const targets: { target: string; content: string | null }[] = []
  for (const [path, content] of files) {
    const located = await locate(root, path)
    if (!located.ok) return located.problem
    // Delete a link itself, not its target.
    targets.push({ target: content === null ? join(root, located.path) : located.target, content })
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

/** Resolves the part that exists. `null` if it lies outside, or is a link whose target is missing. */
async function realPath(root: string, target: string): Promise<string | null> {
  const missing: string[] = []
  for (let path = target; ; path = dirname(path)) {
    const real = await realpath(path).catch(() => null)
    if (real !== null) return real === root || real.startsWith(root + sep) ? join(real, ...missing) : null
    if (path === root || (await isLink(path))) return null
    missing.unshift(path.slice(dirname(path).length + 1))
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )
}
