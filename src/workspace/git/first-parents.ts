/** Walks first parents from a commit back to an earlier one. */
import type { CommitRecord } from './git-output.ts'
import type { ObjectReader } from './object-reader.ts'

/** Longer walks are left to git. */
const longest = 200

/** Newest first, without `from`. Null if `from` is not a first-parent ancestor, or a commit has to be read by git. */
export async function firstParents(reader: ObjectReader, from: string, to: string): Promise<CommitRecord[] | null> {
  const way: CommitRecord[] = []
  for (let hash: string | undefined = to; hash !== from; hash = way.at(-1)!.parents[0]) {
    if (hash === undefined || way.length === longest) return null
    const commit = await reader.read(hash)
    const record = commit?.type === 'commit' ? readCommit(commit.hash, commit.content) : null
    if (record === null) return null
    way.push(record)
  }
  return way
}

/** Null if its text is not UTF-8. */
export function readCommit(hash: string, content: Buffer): CommitRecord | null {
  const text = content.toString('utf8')
  const end = text.indexOf('\n\n')
  const header = (end === -1 ? text : text.slice(0, end)).split('\n')
  if (header.some((line) => line.startsWith('encoding '))) return null
  const parents = header.flatMap((line) => (line.startsWith('parent ') ? [line.slice('parent '.length)] : []))
  const message = end === -1 ? '' : text.slice(end + 2).replace(/^\s*\n/, '')
  const [subject = ''] = message.split(/\n[^\S\n]*\n/, 1)
  return {
    hash,
    parents,
    subject: subject.replace(/\s*\n\s*/g, ' ').trim(),
    body: message
      .slice(subject.length)
      .replace(/^\s*\n/, '')
      .trimEnd(),
  }
}
