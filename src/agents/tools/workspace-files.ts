/** Finds and puts files in a workspace, and never anywhere else. SPEC.md § VF6. */
import { lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { confinePath } from '../../rules/build/path-confinement.ts'

/** `path` as it is shown, `target` where it really lies, whether or not it exists yet. */
export type Located = { ok: true; path: string; target: string } | { ok: false; problem: string }

/** Links are followed, but not out of the workspace and not into git's own folder. */
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

/** Writes all files or, where one would lie outside, none: then it returns what was wrong. `null` deletes. */
export async function writeFiles(
  workspace: string,
  files: readonly (readonly [path: string, content: string | null])[],
): Promise<string | null> {
  const root = await realpath(workspace)
  const targets: { target: string; content: string | null }[] = []
  for (const [path, content] of files) {
    const located = await locate(root, path)
    if (!located.ok) return located.problem
    // A link is deleted itself, not what it leads to.
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

/** Resolves the part that exists. `null`: it lies outside, as does a link whose target is missing. */
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
