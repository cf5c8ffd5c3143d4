/** TR8: the git data of a worktree, without the checkout around it and without what may hold credentials. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface GitData {
  /** Paths to show. */
  shown: string[]
  /** Files to show in another form. */
  rewritten: { path: string; text: string }[]
  /** The git folder that all worktrees of the repository have in common. */
  common?: string
}

/**
 * Neither hooks, nor the records of other worktrees, nor what extensions keep, nor the log of refs: it keeps the words of
 * commands such as `git pull https://user:token@host`.
 */
const parts = ['HEAD', 'objects', 'refs', 'packed-refs', 'reftable', 'shallow', 'info']

/** The first of the folders that is a worktree of a repository. */
export function gitData(folders: readonly string[]): GitData {
  for (const folder of folders) {
    const text = textOf(join(folder, '.git')) ?? ''
    const named = /^gitdir: (.+)$/m.exec(text)?.[1]
    if (named === undefined) continue
    const record = resolve(folder, named)
    const common = resolve(record, (textOf(join(record, 'commondir')) ?? '.').trim())
    // A `.git` file that an agent wrote must not choose what its commands can read.
    const isOwn = record.startsWith(join(common, 'worktrees/')) && pointsBack(record, folder)
    if (!isOwn || !isRepository(common)) continue
    const configs = [join(common, 'config'), join(common, 'config.worktree')]
    return {
      common,
      shown: [...parts.map((part) => join(common, part)), record, ...alternates(common)].filter((path) =>
        existsSync(path),
      ),
      rewritten: configs.map(withoutSecrets).filter((file) => file !== undefined),
    }
  }
  return { shown: [], rewritten: [] }
}

/** Git records where the worktree of a record is. */
function pointsBack(record: string, folder: string): boolean {
  const place = textOf(join(record, 'gitdir'))
  return place !== undefined && resolve(record, place.trim()) === join(folder, '.git')
}

function isRepository(folder: string): boolean {
  try {
    const names = readdirSync(folder)
    return names.includes('HEAD') && names.includes('objects')
  } catch {
    return false
  }
}

/** Object stores of other repositories that this one borrows from. */
function alternates(common: string): string[] {
  const text = textOf(join(common, 'objects', 'info', 'alternates')) ?? ''
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => resolve(common, 'objects', line))
}

const harmlessSections =
  /^\s*\[\s*(?:core|extensions|user|init|branch\b[^\]]*|merge|diff|index|feature)\s*\]|^\s*\[\s*branch\s+"[^"]*"\s*\]/i

/** Keeps the sections that git needs to read a repository: others may hold tokens, in addresses or headers. */
function withoutSecrets(path: string): { path: string; text: string } | undefined {
  const text = textOf(path)
  if (text === undefined) return undefined
  let isKept = false
  const kept = text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isKept = harmlessSections.test(line)
    // A branch may follow an address, with a token in it.
    return isKept && !/:\/\/[^/\s]*@/.test(line)
  })
  return { path, text: `${kept.join('\n')}\n` }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
