/** Real repositories in temporary folders, isolated from this machine's git settings. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { Repository } from '../../src/workspace/git/repository.ts'
import { type WorktreeSettings, Worktrees } from '../../src/workspace/worktrees/worktrees.ts'

const settings = mkdtempSync(join(tmpdir(), 'convene-git-settings-'))
afterAll(() => rmSync(settings, { recursive: true, force: true }))
writeFileSync(
  join(settings, 'config'),
  '[user]\n\tname = Ada Löwe\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n',
)
process.env.GIT_CONFIG_GLOBAL = join(settings, 'config')
process.env.GIT_CONFIG_NOSYSTEM = '1'
process.env.XDG_CACHE_HOME = join(settings, 'cache')

/** Folders with a space and letters beyond ASCII, so that every test covers them. */
export function temporaryFolder(name = 'mit Leerzeichen und Ümläuten'): string {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'convene-workspace-')))
  onTestFinished(() => rmSync(outer, { recursive: true, force: true, maxRetries: 5 }))
  const folder = join(outer, name)
  mkdirSync(folder)
  return folder
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd()
}

/** Writes files (null deletes), commits everything and returns the commit. */
export function commitFiles(folder: string, files: Record<string, string | null>, message = 'Change'): string {
  write(folder, files)
  git(folder, 'add', '-A')
  git(folder, 'commit', '--quiet', '--no-verify', '--no-gpg-sign', '--allow-empty', '-m', message)
  return git(folder, 'rev-parse', 'HEAD')
}

export function write(folder: string, files: Record<string, string | null>): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === null) {
      rmSync(join(folder, path), { recursive: true, force: true })
      continue
    }
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

export function script(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
}

export interface Opened {
  folder: string
  repository: Repository
  first: string
}

export async function newRepository(
  files: Record<string, string> = { 'a.txt': 'one\n' },
  ...init: string[]
): Promise<Opened> {
  const folder = temporaryFolder()
  git(folder, 'init', '--quiet', ...init)
  const first = commitFiles(folder, files, 'First')
  return { folder, repository: await Repository.open(folder), first }
}

export function worktreesOf(
  repository: Repository,
  options: Partial<WorktreeSettings> = {},
): { worktrees: Worktrees; place: string } {
  const place = options.folder ?? temporaryFolder()
  return { worktrees: new Worktrees(repository, { share: [], ...options, folder: place }), place }
}

/** Every file of a folder and its content, links as `-> target`, without `.git`. */
export function contents(folder: string, path = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.name === '.git') continue
    if (entry.isSymbolicLink()) found[inner] = `-> ${readlinkSync(join(folder, inner))}`
    else if (entry.isDirectory()) Object.assign(found, contents(folder, inner))
    else found[inner] = readFileSync(join(folder, inner), 'utf8')
  }
  return found
}

/** The branch, index and files of a checkout: all that a refused merge must leave alone. */
export function stateOf(folder: string): unknown {
  return {
    files: contents(folder),
    head: git(folder, 'rev-parse', 'HEAD'),
    branch: git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
    index: git(folder, 'ls-files', '--stage'),
    refs: git(folder, 'for-each-ref'),
    status: git(folder, 'status', '--porcelain'),
    worktrees: git(folder, 'worktree', 'list', '--porcelain'),
  }
}

export function listedWorktrees(folder: string): string[] {
  const lines = git(folder, '-c', 'core.quotePath=false', 'worktree', 'list', '--porcelain').split('\n')
  return lines.filter((line) => line.startsWith('worktree ')).map((line) => line.slice('worktree '.length))
}
