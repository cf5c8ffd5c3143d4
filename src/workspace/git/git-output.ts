/** Parses git's `-z` output. Pure. */

export interface TreeChange {
  path: string
  status: 'added' | 'modified' | 'deleted' | 'type-changed'
  /** After the change; `000000` if the path is gone. */
  mode: string
  /** Before the change; `000000` if the path is new. */
  oldMode: string
}

export interface MergeResult {
  tree: string
  conflicts: string[]
  messages: string
}

export interface CommitRecord {
  hash: string
  parents: string[]
  subject: string
  body: string
}

export interface TreeEntry {
  mode: string
  type: string
  hash: string
  path: string
}

const statuses: Record<string, TreeChange['status']> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'type-changed',
}

/** Of `diff-tree -r -z --raw --no-renames`: `:<old mode> <mode> <old hash> <hash> <status>`, then the path. */
export function readChanges(output: string): TreeChange[] {
  const fields = output.split('\0')
  const changes: TreeChange[] = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = '', mode = '', , , letter = ''] = fields[index]!.replace(/^:/, '').split(' ')
    const status = statuses[letter.charAt(0)]
    if (status) changes.push({ path: fields[index + 1]!, status, mode, oldMode })
  }
  return changes
}

/** Of `merge-tree --write-tree --name-only -z`: tree, files in conflict, an empty field, then the messages. */
export function readMerge(output: string): MergeResult {
  const fields = output.split('\0')
  const tree = fields[0]!
  const end = fields.indexOf('', 1)
  const conflicts = fields.slice(1, end === -1 ? undefined : end)
  return { tree, conflicts: [...new Set(conflicts)], messages: end === -1 ? '' : mergeMessages(fields.slice(end + 1)) }
}

/** Each message: how many paths, the paths, its type, its text. */
function mergeMessages(fields: string[]): string {
  const texts: string[] = []
  for (let index = 0; index < fields.length; ) {
    const paths = Number(fields[index])
    if (fields[index] === '' || !Number.isInteger(paths)) break
    const text = fields[index + paths + 2]
    if (text === undefined) break
    texts.push(text.trimEnd())
    index += paths + 3
  }
  return texts.join('\n')
}

/** Of `log -z --format=%H%x00%P%x00%s%x00%b`. */
export function readCommits(output: string): CommitRecord[] {
  const fields = output.split('\0')
  const commits: CommitRecord[] = []
  for (let index = 0; index + 3 < fields.length; index += 4) {
    const [hash = '', parents = '', subject = '', body = ''] = fields.slice(index, index + 4)
    commits.push({ hash, parents: parents.split(' ').filter(Boolean), subject, body: body.trimEnd() })
  }
  return commits
}

/** Of `ls-tree -z`: `<mode> <type> <hash>\t<path>`. */
export function readTreeEntries(output: string): TreeEntry[] {
  return output.split('\0').flatMap((line) => {
    const found = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line)
    return found ? [{ mode: found[1]!, type: found[2]!, hash: found[3]!, path: found[4]! }] : []
  })
}

export interface GitObject {
  type: string
  hash: string
  size: number
  /** Empty if only the name was requested. */
  content: Buffer
}

/**
 * The first answer of `cat-file --batch-command -z`: `<hash> <type> <size>`, then the content and a line break if
 * requested. For a missing object (null) git repeats the name. `needed` is the number of bytes to wait for.
 */
export function readObject(
  bytes: Buffer,
  name: string,
  withContent: boolean,
): { object: GitObject | null; length: number } | { needed: number } {
  // A name may contain line breaks.
  const echo = Buffer.from(`${name} `)
  const start = bytes.subarray(0, echo.length)
  const isEchoed = start.equals(echo)
  const mayBeEchoed = bytes.length < echo.length && echo.subarray(0, bytes.length).equals(start)
  const lineEnd = mayBeEchoed ? -1 : bytes.indexOf(0x0a, isEchoed ? echo.length : 0)
  if (lineEnd === -1) return { needed: bytes.length + 1 }
  const found = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(bytes.subarray(0, lineEnd).toString('utf8'))
  if (!found) return { object: null, length: lineEnd + 1 }
  const [, hash = '', type = '', digits = ''] = found
  const size = Number(digits)
  if (!withContent) return { object: { hash, type, size, content: Buffer.alloc(0) }, length: lineEnd + 1 }
  const end = lineEnd + 1 + size
  if (bytes.length < end + 1) return { needed: end + 1 }
  return { object: { hash, type, size, content: bytes.subarray(lineEnd + 1, end) }, length: end + 1 }
}

export interface TreePart {
  /** Six digits. */
  mode: string
  hash: string
}

/** The entries of a raw tree object: `<mode> <name>\0<hash in bytes>`. */
export function readTree(tree: Buffer, hashBytes: number): Map<string, TreePart> {
  const parts = new Map<string, TreePart>()
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(0x20, at)
    const end = tree.indexOf(0x00, space)
    const mode = tree.subarray(at, space).toString('utf8').padStart(6, '0')
    const hash = tree.subarray(end + 1, end + 1 + hashBytes).toString('hex')
    parts.set(tree.subarray(space + 1, end).toString('utf8'), { mode, hash })
    at = end + 1 + hashBytes
  }
  return parts
}
