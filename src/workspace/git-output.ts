/** Reads what git prints with `-z`. Pure. */

export interface TreeChange {
  path: string
  status: 'added' | 'modified' | 'deleted' | 'type-changed'
  /** After the change; `000000` where the path is gone. */
  mode: string
  /** Before the change; `000000` where the path is new. */
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

export interface BatchObject {
  type: string
  hash: string
  content: Buffer
}

/** Of `cat-file --batch -z`, one answer for each request in order; null where git has no such object. */
export function readBatch(output: Buffer, requests: readonly string[]): (BatchObject | null)[] {
  let at = 0
  return requests.map((request) => {
    // A request that is not answered is repeated, and may itself hold line breaks.
    const echo = Buffer.from(`${request} `)
    const isEchoed = output.subarray(at, at + echo.length).equals(echo)
    const lineEnd = output.indexOf(0x0a, isEchoed ? at + echo.length : at)
    const header = output.subarray(at, lineEnd).toString('utf8')
    at = lineEnd + 1
    const found = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(header)
    if (!found) return null
    const size = Number(found[3])
    const content = output.subarray(at, at + size)
    at += size + 1
    return { hash: found[1]!, type: found[2]!, content }
  })
}

/** The entries of a raw tree object: `<mode> <name>\0<hash in bytes>`. */
export function readTreeModes(tree: Buffer, hashBytes: number): Map<string, string> {
  const modes = new Map<string, string>()
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(0x20, at)
    const end = tree.indexOf(0x00, space)
    modes.set(tree.subarray(space + 1, end).toString('utf8'), tree.subarray(at, space).toString('utf8'))
    at = end + 1 + hashBytes
  }
  return modes
}
