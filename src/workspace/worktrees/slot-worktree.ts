/** One of Convene's worktrees: checks out a commit, cleans, and writes its files as a tree. */
import { copyFile, lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConveneError } from '../../kernel/errors.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { GitFailed, git, runGit } from '../git/git.ts'
import { everythingExcept, ignorePattern } from '../git/git-patterns.ts'
import type { WorktreeRecord } from '../git/worktree-records.ts'
import { makeWritable, removeTree } from '../remove-tree.ts'

/**
 * Uses its own index and names the repository explicitly: what an agent does with `git add`, `git init` or
 * the `.git` file affects neither the checkout nor the tree that is written.
 */
export class SlotWorktree implements WorktreeRecord {
  readonly folder: string
  readonly record: string
  readonly #hasPlainHead: boolean
  readonly #index: string

  /** HEAD is a writable file, unless refs are stored as reftable. */
  constructor({ folder, record }: WorktreeRecord, { hasPlainHead }: { hasPlainHead: boolean }) {
    this.folder = folder
    this.record = record
    this.#hasPlainHead = hasPlainHead
    this.#index = join(record, 'convene-index')
  }

  /** Makes tracked files exactly those of the commit, overwriting whatever is in the way. */
  async checkOut(commit: string): Promise<void> {
    await this.#repair()
    if (!this.#hasPlainHead) {
      await this.git(['checkout', '--force', '--detach', '--quiet', commit])
      return
    }
    await this.git(['read-tree', '--reset', '-u', commit])
    await writeFile(join(this.record, 'HEAD'), `${commit}\n`)
  }

  /** Removes everything untracked, ignored files and nested repositories too, except the given paths. */
  async clean(kept: readonly string[]): Promise<void> {
    const args = ['clean', '-ffdxq', ...kept.flatMap((path) => ['-e', ignorePattern(path)])]
    const answer = await this.#run(args)
    if (answer.code === 0) return
    await makeWritable(this.folder)
    await this.git(args)
  }

  /** Updates the index that agents' own git commands see. */
  async showToGit(): Promise<void> {
    await copyFile(this.#index, join(this.record, 'index'))
  }

  /** Untracked paths, with whole folders as one path, and whether a tracked file differs. */
  async status(): Promise<{ untracked: string[]; changed: boolean }> {
    const output = await this.git([
      'status',
      '--porcelain=v1',
      '-z',
      '--no-renames',
      '--ignored=traditional',
      '--untracked-files=normal',
      '--ignore-submodules=all',
    ])
    const lines = output.split('\0').filter((line) => line !== '')
    const isUntracked = (line: string) => line.startsWith('?? ') || line.startsWith('!! ')
    return {
      untracked: topmost(lines.filter(isUntracked).map((line) => line.slice(3).replace(/\/$/, ''))),
      changed: lines.some((line) => !isUntracked(line)),
    }
  }

  /** Tracked files that differ from what was checked out. */
  async changedFiles(): Promise<string[]> {
    const output = await this.git([
      'diff',
      '--name-only',
      '-z',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=all',
    ])
    return output.split('\0').filter((path) => path !== '')
  }

  /** Restores tracked files. */
  async restoreTracked(): Promise<void> {
    await this.git(['checkout-index', '--all', '--force', '--quiet'])
  }

  /** Writes the current files as a tree. Paths that are not the agent's work keep the commit's state. */
  async writeTree(except: readonly string[]): Promise<string> {
    const args = ['add', '-A', '--sparse', '--', ...everythingExcept(except)]
    const answer = await this.#run(args)
    const embedded = /^warning: adding embedded git repository: (.*)$/m.exec(answer.complaint)?.[1]
    if (embedded !== undefined)
      await this.git(['rm', '--cached', '--quiet', '--force', '--', `:(top,literal)${embedded}`])
    const nested = embedded ?? /^error: '(.*?)\/?' does not have a commit checked out$/m.exec(answer.complaint)?.[1]
    if (nested !== undefined)
      throw refused('nested_repository', nested, 'is a git repository of its own; its files cannot be committed')
    const unreadable = unreadableIn(answer.complaint).find(({ path }) => !except.some((one) => isWithin(path, one)))
    if (unreadable) throw refused('unreadable_file', unreadable.path, `cannot be read: ${unreadable.why}`)
    if (answer.code !== 0) throw new GitFailed(args, this.folder, answer)
    return this.git(['write-tree'])
  }

  /** Runs git with the repository named explicitly. */
  git(args: readonly string[], folder = this.folder): Promise<string> {
    return git(args, { folder, env: this.#env() })
  }

  #run(args: readonly string[]) {
    return runGit(args, { folder: this.folder, env: this.#env() })
  }

  #env() {
    return { GIT_DIR: this.record, GIT_WORK_TREE: this.folder, GIT_INDEX_FILE: this.#index }
  }

  /** Repairs what a killed process or an agent left: locks, a broken `.git` file, an unfinished merge or rebase. */
  async #repair(): Promise<void> {
    const names = await readdir(this.record)
    const stale = names.filter((name) => name.endsWith('.lock') || inProgress.has(name))
    await Promise.all(stale.map((name) => rm(join(this.record, name), { recursive: true, force: true })))
    const pointer = join(this.folder, '.git')
    const expected = `gitdir: ${this.record}\n`
    const stats = await lstat(pointer).catch(() => null)
    if (stats?.isFile() && (await readFile(pointer, 'utf8')) === expected) return
    await removeTree(pointer)
    await writeFile(pointer, expected)
  }
}

const inProgress = new Set([
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
])

/** Drops paths that are below another path. */
export function topmost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
}

/** Git only warns about unreadable folders, and would lose their files. */
function unreadableIn(complaint: string): { path: string; why: string }[] {
  const found = complaint.matchAll(/^(?:error: open\("(.*)"\)|warning: could not open directory '(.*?)\/?'): (.*)$/gm)
  return [...found].map(([, file, folder, why = '']) => ({ path: file ?? folder ?? '', why }))
}

function refused(code: string, path: string, why: string): ConveneError {
  return new ConveneError(code, `${path} ${why}`, { path, exitCode: 1, status: 409 })
}
