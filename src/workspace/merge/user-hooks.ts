/** TR1: whether the user's hooks may run when work is merged, and the environment they run in. */
import { readdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { looksSecret } from '../../kernel/redaction/secret-spellings.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { touchedHooks } from '../../rules/trust/touched-hooks.ts'
import { git } from '../git/git.ts'
import type { Repository } from '../git/repository.ts'

/** The changed paths for whose sake the hooks of a checkout must not run. */
export async function hooksTouchedBy(
  repository: Repository,
  { folder, head, tree }: { folder: string; head: string; tree: string },
): Promise<string[]> {
  const [changes, hooks, top] = await Promise.all([
    repository.changes(head, tree),
    git(['rev-parse', '--path-format=absolute', '--git-path', 'hooks'], { folder, settings: 'own' }),
    realpath(folder),
  ])
  const changed = changes.map(({ path }) => path)
  const manifests = changed.filter((path) => /(?:^|\/)package\.json$/.test(path))
  const [before, after] = await Promise.all([head, tree].map((at) => repository.readFiles(at, manifests)))
  const inside = await insideOf(top, hooks)
  return touchedHooks({
    changed,
    ...(inside === undefined || inside === '.git' || inside.startsWith('.git/') ? {} : { hooksFolder: inside }),
    linked: await linkedFiles(top, hooks),
    manifests: manifests.map((path) => ({
      path,
      ...text('before', before!.get(path)),
      ...text('after', after!.get(path)),
    })),
  })
}

function text<Key extends string>(key: Key, bytes: Buffer | string | undefined): { [K in Key]?: string } {
  return bytes === undefined ? {} : ({ [key]: bytes.toString() } as { [K in Key]?: string })
}

/** Hooks that are links to files of the checkout. */
async function linkedFiles(top: string, hooks: string): Promise<string[]> {
  const names = await readdir(hooks).catch(() => [])
  const found = await Promise.all(names.map((name) => insideOf(top, join(hooks, name))))
  return found.filter((path) => path !== undefined && path !== '.git' && !path.startsWith('.git/')) as string[]
}

/** A path from the top of the checkout; undefined if it is elsewhere. */
async function insideOf(top: string, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => path)
  return isWithin(real, top) ? relative(top, real) : undefined
}

/** Removes what Convene knows to be secret: the variables of the configuration, and those that look like a secret. */
export function withoutSecrets(
  env: Record<string, string | undefined>,
  secretNames: readonly string[],
): Record<string, undefined> {
  const known = new Set(secretNames.flatMap((name) => env[name]?.trim() || []))
  const secret = Object.entries(env).filter(
    ([name, value]) =>
      secretNames.includes(name) || looksSecret(name, value) || (value !== undefined && known.has(value.trim())),
  )
  return Object.fromEntries(secret.map(([name]) => [name, undefined]))
}
