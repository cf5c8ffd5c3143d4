/** The user's repository: commits, refs, trees and merges. Never touches a checkout or an index. */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConveneError } from '../../kernel/errors.ts'
import { CommitWriter } from './commit-writer.ts'
import { filesBelow } from './files-below.ts'
import { firstParents } from './first-parents.ts'
import { GitFailed, type GitRequest, git, gitBytes, runGit } from './git.ts'
import {
  type CommitRecord,
  type MergeResult,
  readChanges,
  readCommits,
  readMerge,
  readTreeEntries,
  type TreeChange,
} from './git-output.ts'
import { type Identity, readIdentity } from './identity.ts'
import { type FetchMissing, ObjectReader } from './object-reader.ts'
import { findRepository, type RepositoryPlace } from './open-repository.ts'
import { readFilesOf } from './read-files.ts'
import { RefWriter } from './ref-writer.ts'
import { deleteRefs, moveRef, setRef } from './refs.ts'
import { treeChanges } from './tree-changes.ts'
import { TreeReader } from './tree-reader.ts'
import { type FileChange, treeWith } from './tree-with.ts'

export type { CommitRecord, MergeResult, TreeChange } from './git-output.ts'

export class Repository {
  /** Top of the checkout that holds `convene.yaml`. */
  readonly root: string
  /** The git folder that all worktrees share, absolute. */
  readonly gitFolder: string
  /** From the top to the project's folder: `packages/a/`, or nothing. */
  readonly prefix: string
  /** Folders of its commits. */
  readonly trees: TreeReader
  readonly #objects: ObjectReader
  readonly #commits: CommitWriter
  readonly #refs: RefWriter
  /** Whether commits may lie elsewhere. */
  readonly #fetches: boolean
  #identity?: Promise<Identity>

  constructor({ root, gitFolder, prefix }: RepositoryPlace, { fetch }: { fetch?: FetchMissing } = {}) {
    this.root = root
    this.#fetches = fetch !== undefined
    this.#objects = new ObjectReader(root, fetch)
    this.trees = new TreeReader(this.#objects)
    this.#commits = new CommitWriter(root)
    this.#refs = new RefWriter(root)
    this.gitFolder = gitFolder
    this.prefix = prefix
  }

  static async open(folder: string): Promise<Repository> {
    return new Repository(await findRepository(folder))
  }

  head(): Promise<string> {
    return this.#git(['rev-parse', '--verify', 'HEAD^{commit}'])
  }

  async currentBranch(): Promise<string | null> {
    const { code, output } = await this.#run(['symbolic-ref', '--quiet', 'HEAD'])
    return code === 0
      ? output
          .toString('utf8')
          .trim()
          .replace(/^refs\/heads\//, '')
      : null
  }

  /** The commit that a branch, tag or hash names. */
  async resolve(ref: string): Promise<string | null> {
    if (ref === '' || /[\0\n]/.test(ref)) return null
    return (await this.#objects.find(`${ref}^{commit}`))?.hash ?? null
  }

  /** Whether a full or short hash names a commit. A branch whose name looks like a hash does not count. */
  async exists(commit: string): Promise<boolean> {
    const hash = commit.toLowerCase()
    if (!/^[0-9a-f]{4,64}$/.test(hash)) return false
    return (await this.resolve(hash))?.startsWith(hash) ?? false
  }

  async treeOf(commit: string): Promise<string> {
    const tree = await this.#objects.find(`${commit}^{tree}`)
    return tree?.hash ?? this.#git(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])
  }

  /** The tree of the project's folder in a commit. Throws if the commit does not have that folder. */
  async folderOf(commit: string): Promise<string> {
    const folder = await this.#objects.find(`${commit}:${this.prefix.replace(/\/$/, '')}`)
    if (folder?.type === 'tree') return folder.hash
    throw new ConveneError('no_folder', `commit ${commit.slice(0, 10)} has no folder ${this.prefix}`)
  }

  /** The content of an object by its hash; null if it is missing. */
  async readObject(hash: string): Promise<Buffer | null> {
    return (await this.#objects.read(hash))?.content ?? null
  }

  /** The user's name and address, or Convene's if git has none. */
  identity(): Promise<Identity> {
    this.#identity ??= readIdentity(this.root)
    return this.#identity
  }

  /** Writes a commit object only: no hook, no signature, no ref. Equal requests with `at` (ms) give equal hashes. */
  async commit(request: { tree: string; parents: string[]; message: string; at?: number }): Promise<string> {
    const identity = await this.identity()
    const { at } = request
    const written = at === undefined ? null : await this.#commits.write({ ...request, at }, identity)
    if (written !== null) return written
    const { name, email } = identity
    const date = request.at === undefined ? undefined : `@${Math.floor(request.at / 1000)} +0000`
    const parents = request.parents.flatMap((parent) => ['-p', parent])
    return this.#git(['commit-tree', request.tree, ...parents, '-F', '-'], {
      input: request.message,
      env: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
        GIT_COMMITTER_DATE: date,
      },
    })
  }

  /** Compare-and-swap: false if the ref is not at `from`; `null` means it must not exist. A name without `refs/` is a branch. */
  async updateRef(ref: string, to: string, from: string | null): Promise<boolean> {
    const name = fullName(ref)
    return (await this.#refs.move(name, to, from ?? '0'.repeat(to.length))) || moveRef(this, name, to, from)
  }

  async setRef(ref: string, to: string): Promise<void> {
    const name = fullName(ref)
    if (!(await this.#refs.move(name, to))) await setRef(this, name, to)
  }

  async deleteRef(ref: string): Promise<void> {
    await deleteRefs(this, [fullName(ref)])
  }

  /** Deletes all or none; missing refs are ignored. */
  async deleteRefs(refs: readonly string[]): Promise<void> {
    await deleteRefs(this, refs.map(fullName))
  }

  /** A branch of ours was moved together with a checkout of it: for a repository that others share. */
  async publish(_ref: string, _to: string): Promise<void> {}

  /** Those of the commits that are `of` or its ancestors. */
  async reachable(commits: readonly string[], of: string): Promise<Set<string>> {
    if (commits.length === 0) return new Set()
    await this.#fetchAll([of, ...commits])
    const input = [`^${of}`, ...commits].map((each) => `${each}\n`).join('')
    const others = new Set((await this.#git(['rev-list', '--stdin'], { input })).split('\n'))
    return new Set(commits.filter((commit) => !others.has(commit)))
  }

  /** All refs whose full name starts with the prefix. */
  async listRefs(prefix: string): Promise<{ ref: string; commit: string }[]> {
    const start = fullName(prefix)
    const folder = start.slice(0, start.lastIndexOf('/'))
    const lines = await this.#git(['for-each-ref', '--format=%(objectname) %(refname)', folder])
    return lines
      .split('\n')
      .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }))
      .filter(({ ref }) => ref.startsWith(start))
  }

  async isAncestor(commit: string, of: string): Promise<boolean> {
    const args = ['merge-base', '--is-ancestor', commit, of]
    const answer = await this.#run(args)
    if (answer.code > 1) throw new GitFailed(args, this.root, answer)
    return answer.code === 0
  }

  async mergeBase(a: string, b: string): Promise<string | null> {
    const args = ['merge-base', a, b]
    const answer = await this.#run(args)
    if (answer.code > 1) throw new GitFailed(args, this.root, answer)
    return answer.code === 0 ? answer.output.toString('utf8').trim() : null
  }

  /** A move is a deletion and an addition. */
  async changes(from: string, to: string): Promise<TreeChange[]> {
    const found = await treeChanges(this.trees, `${from}^{tree}`, `${to}^{tree}`)
    if (found) return found
    return readChanges(await this.#git(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to]))
  }

  async diff(
    from: string,
    to: string,
    { paths, maxCharacters = Number.POSITIVE_INFINITY }: { paths?: string[]; maxCharacters?: number } = {},
  ): Promise<{ text: string; cut: boolean }> {
    if (paths?.length === 0) return { text: '', cut: false }
    const args = ['diff-tree', '-p', '-r', '-M', '--no-ext-diff', '--no-textconv', '--no-color', from, to]
    // A UTF-8 character has at most four bytes.
    const request = { maxBytes: maxCharacters * 4 }
    const answer = await this.#run(['--literal-pathspecs', ...args, '--', ...(paths ?? [])], request)
    if (answer.code !== 0) throw new GitFailed(args, this.root, answer)
    const text = answer.output.toString('utf8')
    if (text.length <= maxCharacters) return { text, cut: answer.cut }
    const kept = text.slice(0, maxCharacters)
    return { text: kept.slice(0, kept.lastIndexOf('\n') + 1), cut: true }
  }

  /** Leaves out missing files, links, folders and submodules. */
  readFiles(commit: string, paths: string[]): Promise<Map<string, Buffer>> {
    return readFilesOf(this.#objects, commit, paths)
  }

  /** The bytes of each file; 0 for what is no file. */
  async fileSizes(commit: string, paths: readonly string[]): Promise<number[]> {
    const found = await Promise.all(paths.map((path) => this.#objects.find(`${commit}:${path}`)))
    return found.map((object) => (object?.type === 'blob' ? object.size : 0))
  }

  async linkTarget(commit: string, path: string): Promise<string> {
    return (await gitBytes(['cat-file', 'blob', `${commit}:${path}`], { folder: this.root })).toString('utf8')
  }

  /** All files and links, or those at and below the given paths. */
  async listFiles(commit: string, paths?: string[]): Promise<string[]> {
    if (paths) return filesBelow(this.#objects, this.trees, commit, paths)
    const entries = readTreeEntries(await this.#git(['ls-tree', '-r', '-z', '--full-tree', commit]))
    return entries.filter(({ type }) => type === 'blob').map(({ path }) => path)
  }

  /** Conflicting files are in the tree with conflict markers; `ancestor` shows what both sides changed, uncut. */
  async merge(ours: string, theirs: string, { ancestor = false } = {}): Promise<MergeResult> {
    const style = ancestor ? ['-c', 'merge.conflictStyle=diff3'] : []
    const args = [...style, 'merge-tree', '--write-tree', '--name-only', '-z', '--messages', ours, theirs]
    const answer = await this.#run(args)
    if (answer.code > 1) throw new GitFailed(args, this.root, answer)
    return readMerge(answer.output.toString('utf8'))
  }

  /** Which of the others would conflict with this head now, and in which files. RB3 */
  async forecast(
    head: string,
    others: { name: string; commit: string }[],
  ): Promise<{ name: string; files: string[] }[]> {
    const waiting = [...others.entries()]
    const found: { name: string; files: string[] }[] = []
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, { name, commit }] = next
        found[index] = { name, files: (await this.merge(head, commit)).conflicts }
      }
    }
    await Promise.all(Array.from({ length: mergesAtOnce }, worker))
    return found.filter(({ files }) => files.length > 0)
  }

  /** Newest first: a commit always comes before its parents. */
  async commits(from: string | null, to: string, { firstParent = false } = {}): Promise<CommitRecord[]> {
    if (from === to) return []
    const way = firstParent && from !== null ? await firstParents(this.#objects, from, to) : null
    if (way) return way
    const format = ['--topo-order', '--no-show-signature', '-z', '--format=%H%x00%P%x00%s%x00%b']
    const range = from === null ? [to] : [to, `^${from}`]
    return readCommits(await this.#git(['log', ...format, ...(firstParent ? ['--first-parent'] : []), ...range, '--']))
  }

  /** The subjects of the last commits that people made, newest first, without merges. */
  async subjects(commit: string, count: number): Promise<string[]> {
    const people = ['--no-merges', '--invert-grep', '--grep=^Convene-Run: ', `-${count}`]
    const text = await this.#git(['log', '--no-show-signature', ...people, '--format=%s', commit, '--'])
    return text.split('\n').filter((line) => line !== '')
  }

  /** The tree with some files taken from another commit or tree, or removed if missing there, or with another content. */
  treeWith(tree: string, changes: FileChange[]): Promise<string> {
    return treeWith(this.root, tree, changes)
  }

  /** Ignores a path without changing a tracked file. */
  async excludeFromGit(pattern: string): Promise<void> {
    const file = join(this.gitFolder, 'info', 'exclude')
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.split(/\r?\n/).includes(pattern)) return
    await mkdir(join(this.gitFolder, 'info'), { recursive: true })
    await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${pattern}\n`)
  }

  /** Commits that are not here yet are brought by asking for them. */
  async #fetchAll(names: readonly string[]): Promise<void> {
    if (!this.#fetches) return
    const commits = names.flatMap((name) => /^\^?([0-9a-f]{40,64})$/.exec(name)?.[1] ?? [])
    await Promise.all(commits.map((commit) => this.#objects.find(commit)))
  }

  async #git(args: string[], request: Partial<GitRequest> = {}): Promise<string> {
    await this.#fetchAll(args)
    return git(args, { folder: this.root, ...request })
  }

  async #run(args: string[], request: Partial<GitRequest> = {}) {
    await this.#fetchAll(args)
    return runGit(args, { folder: this.root, ...request })
  }
}

const mergesAtOnce = 4

function fullName(ref: string): string {
  if (ref === 'HEAD') throw new ConveneError('wrong_ref', 'HEAD belongs to the user and is not moved', { exitCode: 1 })
  return ref.startsWith('refs/') ? ref : `refs/heads/${ref}`
}
