/** TR8: the git data of a worktree, without the checkout around it and without what may hold credentials. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export interface GitData {
  /** Paths to show. */
  shown: string[]
  /** Files to show in another form. */
  rewritten: { path: string; text: string }[]
}

/** Neither hooks, nor the records of other worktrees, nor what extensions keep. */
const parts = ['HEAD', 'objects', 'refs', 'packed-refs', 'reftable', 'shallow', 'info', 'logs']

/** The first of the folders that is a worktree of a repository. */
export async function gitData(folders: readonly string[]): Promise<GitData> {
  for (const folder of folders) {
    const text = await readFile(join(folder, '.git'), 'utf8').catch(() => '')
    const named = /^gitdir: (.+)$/m.exec(text)?.[1]
    if (named === undefined) continue
    const record = resolve(folder, named)
    const common = resolve(record, (await readFile(join(record, 'commondir'), 'utf8').catch(() => '.')).trim())
    // A `.git` file that an agent wrote must not choose what its commands can read.
    const isOwn = record.startsWith(join(common, 'worktrees/')) && (await pointsBack(record, folder))
    if (!isOwn || !(await isRepository(common))) continue
    const configs = [join(common, 'config'), join(common, 'config.worktree')]
    return {
      shown: await existing([...parts.map((part) => join(common, part)), record, ...(await alternates(common))]),
      rewritten: (await Promise.all(configs.map(withoutSecrets))).filter((file) => file !== undefined),
    }
  }
  return { shown: [], rewritten: [] }
}

/** Git records where the worktree of a record is. */
async function pointsBack(record: string, folder: string): Promise<boolean> {
  const place = await readFile(join(record, 'gitdir'), 'utf8').catch(() => undefined)
  return place !== undefined && resolve(record, place.trim()) === join(folder, '.git')
}

async function isRepository(folder: string): Promise<boolean> {
  const names: string[] = await readdir(folder).catch(() => [])
  return names.includes('HEAD') && names.includes('objects')
}

/** Object stores of other repositories that this one borrows from. */
async function alternates(common: string): Promise<string[]> {
  const text = await readFile(join(common, 'objects', 'info', 'alternates'), 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => resolve(common, 'objects', line))
}

const harmlessSections =
  /^\s*\[\s*(?:core|extensions|user|init|branch\b[^\]]*|merge|diff|index|feature)\s*\]|^\s*\[\s*branch\s+"[^"]*"\s*\]/i

/** Keeps the sections that git needs to read a repository: others may hold tokens, in addresses or headers. */
async function withoutSecrets(path: string): Promise<{ path: string; text: string } | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  let isKept = false
  const kept = text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isKept = harmlessSections.test(line)
    return isKept
  })
  return { path, text: `${kept.join('\n')}\n` }
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => path,
        () => undefined,
      ),
    ),
  )
  return found.filter((path) => path !== undefined)
}
