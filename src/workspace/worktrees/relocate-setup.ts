/**
 * Makes what a set-up produced work in a new place: scripts and settings of Python environments, and pnpm's record of the
 * workspace, name the folder they were made in.
 */
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** `paths` are what was copied from the slot `from` into the slot `to`. Files that name the old place are rewritten. */
export async function relocateSetup(
  paths: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (from === '' || from === to) return
  for (const path of paths) await relocateBelow(join(to, path), { from, to })
}

/**
 * pnpm takes a workspace for changed if a manifest is newer than its record, and installs again before a script. git writes
 * manifests whenever a slot is used, so the record gets a time that nothing is newer than: other manifests have a set-up of their
 * own.
 */
export async function settleSetup(slot: string, made: readonly string[]): Promise<void> {
  for (const path of made)
    for (const name of await namesIn(join(slot, path)))
      if (pnpmRecord.test(name))
        await rewriteFile(join(slot, path, name), (text) =>
          text.replace(/("lastValidatedTimestamp"\s*:\s*)\d+/, `$1${Number.MAX_SAFE_INTEGER}`),
        )
}

const pnpmRecord = /^\.pnpm-workspace-state\b.*\.json$/

async function relocateBelow(folder: string, move: { from: string; to: string }): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  if (entries.some(({ name }) => name === 'pyvenv.cfg')) return relocateVenv(folder, move)
  // pnpm would install again before each script of a workspace that it takes for another one.
  for (const { name } of entries) if (pnpmRecord.test(name)) await relocateFile(join(folder, name), move)
  if (/(?:^|\/)node_modules$/.test(folder)) return
  // An environment lies near the top of the project.
  for (const entry of entries)
    if (entry.isDirectory() && !/^(?:node_modules|\.git|site-packages)$/.test(entry.name))
      await relocateBelow(join(folder, entry.name), move)
}

async function relocateVenv(venv: string, move: { from: string; to: string }): Promise<void> {
  await relocateFile(join(venv, 'pyvenv.cfg'), move)
  for (const name of await namesIn(join(venv, 'bin'))) await relocateFile(join(venv, 'bin', name), move)
  for (const version of await namesIn(join(venv, 'lib'))) {
    const site = join(venv, 'lib', version, 'site-packages')
    for (const name of await namesIn(site)) {
      // Editable installs point to the project by a .pth file or a finder module.
      if (/\.(?:pth|egg-link)$|^__editable__.*\.py$/.test(name)) await relocateFile(join(site, name), move)
      else if (name.endsWith('.dist-info')) await relocateFile(join(site, name, 'direct_url.json'), move)
    }
  }
}

function relocateFile(file: string, { from, to }: { from: string; to: string }): Promise<void> {
  return rewriteFile(file, (text) => text.replaceAll(from, to))
}

/**
 * A set-up runs code of packages, which may leave anything under a name: links, pipes and binaries stay as they are. A file's
 * rights are kept.
 */
async function rewriteFile(file: string, change: (text: string) => string): Promise<void> {
  const stats = await lstat(file).catch(() => undefined)
  if (!stats?.isFile() || stats.size > 1_000_000) return
  const opened = await open(file, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (!opened) return
  try {
    const before = await opened.readFile()
    if (before.includes(0)) return
    const text = before.toString('utf8')
    const after = change(text)
    if (after === text) return
    await opened.truncate(0)
    await opened.write(after, 0)
  } finally {
    await opened.close()
  }
}

/** Empty for a link, which may lead out of the slot. */
async function namesIn(folder: string): Promise<string[]> {
  const stats = await lstat(folder).catch(() => undefined)
  return stats?.isDirectory() ? readdir(folder).catch(() => []) : []
}
