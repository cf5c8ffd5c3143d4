/**
 * Creates read-only folders in a slot as an unprivileged user, and has them refused, cleaned and removed: `<place>
 * <user id>`.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Repository } from '../../src/workspace/git/repository.ts'
import { Worktrees } from '../../src/workspace/worktrees/worktrees.ts'

const [place, user] = process.argv.slice(2) as [string, string]
if (user !== '') {
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}
process.env.HOME = place
process.env.GIT_CONFIG_GLOBAL = '/dev/null'

const folder = join(place, 'repository')
mkdirSync(folder)
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
git('init', '--quiet')
git('commit', '--quiet', '--allow-empty', '-m', 'First')

const repository = await Repository.open(folder)
const slots = join(place, 'slots')
const worktrees = new Worktrees(repository, { share: [], folder: slots })
const commit = await repository.head()
const makeReadOnly = (top: string) => {
  mkdirSync(join(top, 'made/inner'), { recursive: true })
  writeFileSync(join(top, 'made/inner/file'), 'x')
  chmodSync(join(top, 'made/inner'), 0o555)
  chmodSync(join(top, 'made'), 0o555)
}
const first = await worktrees.acquire('r', commit)
const refused: string[] = []
const refuse = () => first.snapshot().then(String, ({ code, path }) => `${code} ${path}`)
writeFileSync(join(first.folder, 'hidden.txt'), 'x', { mode: 0o000 })
refused.push(await refuse())
rmSync(join(first.folder, 'hidden.txt'))
mkdirSync(join(first.folder, 'hidden'))
writeFileSync(join(first.folder, 'hidden/file'), 'x')
chmodSync(join(first.folder, 'hidden'), 0o000)
refused.push(await refuse())
makeReadOnly(first.folder)
worktrees.release(first)
const second = await worktrees.acquire('r', commit)
const cleaned = second.folder === first.folder && readdirSync(second.folder).join() === '.git'
makeReadOnly(second.folder)
worktrees.release(second)
await worktrees.removeRun('r')
console.log(JSON.stringify({ refused, cleaned, left: readdirSync(slots) }))
