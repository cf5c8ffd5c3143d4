/** The tool that lists files and folders. */
import { lstat, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { done, refused, type WorkspaceTool } from './tool.ts'
import { type Walked, walk } from './walk.ts'
import { locate } from './workspace-files.ts'

const maxEntries = 500

const input = z.strictObject({
  path: z.string().optional().describe('the folder; left out, the whole project'),
  depth: z.int().min(1).max(20).optional().describe('how many levels of folders to show; 4 unless given'),
})

export const list: WorkspaceTool<z.infer<typeof input>> = {
  name: 'list',
  description:
    'Lists the files and folders of the project, with sizes in bytes. Ignored folders are named, not entered.',
  input,
  summary: ({ path }) => `list ${path || '.'}`,
  async use({ path = '', depth = 4 }, { workspace }) {
    const folder = await locateFolder(workspace.folder, path)
    if (!folder.ok) return refused(folder.problem)
    const lines: string[] = []
    for (const entry of walk(folder.root, folder.start, depth)) {
      if (lines.length === maxEntries) {
        lines.push(`[only the first ${maxEntries} entries are shown; list a folder of them, or a smaller depth]`)
        break
      }
      lines.push(await describe(folder.root, entry, entry.depth === depth))
    }
    return done(lines.join('\n') || '(empty)')
  },
}

export type LocatedFolder = { ok: true; root: string; start: string } | { ok: false; problem: string }

/** The workspace's real root, and the folder's path relative to it. `''` and `.` are the root itself. */
export async function locateFolder(workspace: string, path: string): Promise<LocatedFolder> {
  const root = await realpath(workspace)
  if (/^(\.?\/?)$/.test(path) && path !== '/') return { ok: true, root, start: '' }
  const located = await locate(root, path)
  if (!located.ok) return located
  const isFolder = await stat(located.target).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) return { ok: false, problem: `there is no folder "${located.path}"` }
  return { ok: true, root, start: relative(root, located.target).split(sep).join('/') }
}

/** Null if the path names no file. */
export async function locateFile(
  workspace: string,
  path: string,
): Promise<{ ok: true; root: string; start: string; isFile: true } | null> {
  const root = await realpath(workspace)
  const located = await locate(root, path)
  const found = located.ok ? await stat(located.target).catch(() => null) : null
  if (!located.ok || !found?.isFile()) return null
  return { ok: true, root, start: relative(root, located.target).split(sep).join('/'), isFile: true }
}

async function describe(root: string, { path, kind, skipped }: Walked, last: boolean): Promise<string> {
  if (kind === 'folder') return `${path}/${skipped ? ' (not shown)' : last ? ' …' : ''}`
  if (kind === 'link') return `${path} (link)`
  if (kind === 'other') return `${path} (no regular file)`
  const size = await lstat(join(root, path)).then(
    (stats) => stats.size,
    () => 0,
  )
  return `${path} ${size}`
}
