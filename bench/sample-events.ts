/** Runs one command of Convene in a copy of the sample project, and returns the log. */
import { execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SampleEvent<Data> {
  type: string
  data: Data
}

const root = join(import.meta.dirname, '..')

export function sampleEvents<Data>(folder: string, words: string[], config?: string): SampleEvent<Data>[] {
  cpSync(join(root, 'examples/first-build'), folder, { recursive: true })
  if (config !== undefined) writeFileSync(join(folder, 'convene.yaml'), config)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message=first')
  const convene = (...args: string[]) =>
    execFileSync(join(root, 'bin/convene'), args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  convene(...words)
  return convene('events', '--json')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SampleEvent<Data>)
}
