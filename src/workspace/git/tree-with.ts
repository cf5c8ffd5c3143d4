/** Builds a tree from parts of other trees, with its own index and without a worktree. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from './git.ts'
import { readTreeEntries, type TreeEntry } from './git-output.ts'

/** A file as another commit or tree has it, or an existing one with another content. */
export type FileChange = { path: string; from: string } | { path: string; content: string }

export async function treeWith(folder: string, tree: string, changes: readonly FileChange[]): Promise<string> {
  if (changes.length === 0) return git(['rev-parse', '--verify', '--end-of-options', `${tree}^{tree}`], { folder })
  const sources = new Map(
    await Promise.all(
      [...new Set(changes.map((change) => sourceOf(change, tree)))].map(async (from) => {
        const paths = changes.filter((change) => sourceOf(change, tree) === from).map(({ path }) => path)
        return [from, await entriesAt(folder, from, paths)] as const
      }),
    ),
  )
  const place = await mkdtemp(join(tmpdir(), 'convene-index-'))
  try {
    const env = { GIT_INDEX_FILE: join(place, 'index') }
    await git(['read-tree', tree], { folder, env })
    const hashLength = await lengthOfHashes(folder, tree)
    const lines = await Promise.all(
      changes.map(async (change) => {
        const entry = sources.get(sourceOf(change, tree))?.get(change.path)
        const written = entry && 'content' in change ? { ...entry, hash: await blobOf(folder, change.content) } : entry
        return indexLine(change.path, hashLength, written)
      }),
    )
    // Removals first: a file may take the place of a folder.
    const input = [...lines.filter(isRemoval), ...lines.filter((line) => !isRemoval(line))].join('')
    await git(['update-index', '--replace', '-z', '--index-info'], { folder, env, input })
    return await git(['write-tree'], { folder, env })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** A file with another content keeps its mode. */
function sourceOf(change: FileChange, tree: string): string {
  return 'from' in change ? change.from : tree
}

function blobOf(folder: string, content: string): Promise<string> {
  return git(['hash-object', '-w', '--no-filters', '--stdin'], { folder, input: content })
}

async function entriesAt(folder: string, from: string, paths: string[]): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>()
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const some = paths.slice(start, start + pathsAtOnce)
    const output = await git(['ls-tree', '-z', '--full-tree', from, '--', ...some], { folder })
    for (const entry of readTreeEntries(output)) if (entry.type !== 'tree') entries.set(entry.path, entry)
  }
  return entries
}

/** Command lines have a limited length. */
const pathsAtOnce = 500

function indexLine(path: string, hashLength: number, entry: TreeEntry | undefined): string {
  return entry ? `${entry.mode} ${entry.hash}\t${path}\0` : `0 ${'0'.repeat(hashLength)}\t${path}\0`
}

async function lengthOfHashes(folder: string, tree: string): Promise<number> {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(tree)) return tree.length
  return (await git(['rev-parse', '--verify', '--end-of-options', tree], { folder })).length
}

function isRemoval(line: string): boolean {
  return line.startsWith('0 ')
}
