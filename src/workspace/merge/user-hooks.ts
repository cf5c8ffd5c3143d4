/** TR1: whether the user's hooks may run when work is merged, and the environment they run in. */
import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { looksSecret } from '../../kernel/redaction/secret-spellings.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { isSettingOf, toolParts, touchedHooks } from '../../rules/trust/touched-hooks.ts'
import { git } from '../git/git.ts'
import type { Repository } from '../git/repository.ts'
import { scriptsIn } from '../test-results/project-scripts.ts'

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
    ...(await hookTexts(repository, head, hooks)),
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

/** The hooks that a merge starts. */
const mergeHooks = [
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-merge',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'reference-transaction',
]

/** What those hooks and the tools that they call are told, and the scripts that they may start. */
async function hookTexts(repository: Repository, head: string, hooks: string) {
  // Husky keeps its hooks in `.husky/_`, which call the files beside that folder.
  const folders = basename(hooks) === '_' ? [hooks, dirname(hooks)] : [hooks]
  const read = async (names: string[]) => {
    const found = folders.flatMap((folder) => names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
    return (await Promise.all(found)).filter((text) => text !== '')
  }
  const started = await read(mergeHooks)
  if (started.length === 0) return {}
  // A hook for merges may call the one for commits.
  const texts = [...started, ...(started.some((text) => text.includes('pre-commit')) ? await read(['pre-commit']) : [])]
  const settings = (await repository.listFiles(head)).filter((path) => isSettingOf(texts, path))
  const files = await repository.readFiles(head, ['package.json', ...settings])
  const manifest = files.get('package.json')?.toString() ?? ''
  const told = settings.flatMap((path) => files.get(path)?.toString() ?? [])
  return { texts: [...texts, ...told, ...toolParts(texts, manifest)], scripts: scriptsIn(manifest) }
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
