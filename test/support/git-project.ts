/** A repository with one commit, for tests of what agents see of a project. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './convene.ts'

export function gitProject(files: Record<string, string>): string {
  const folder = temporaryFolder()
  git(folder, 'init', '--quiet', '--initial-branch=main')
  commitFiles(folder, files, 'Start')
  return folder
}

export function commitFiles(folder: string, files: Record<string, string>, subject: string): void {
  writeAll(folder, files)
  git(folder, 'add', '-A')
  git(folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '-m', subject)
}

export function writeAll(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
