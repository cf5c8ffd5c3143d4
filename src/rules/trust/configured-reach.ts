/** What a repository's configuration reaches beyond the repository. A person trusts it once, by content. SPEC.md § TR4. */

/** One key of `convene.yaml` that reaches out, by its dotted path. */
export interface Reach {
  path: string
  /** The value as JSON, for the person who decides. */
  value: string
}

/** Keys that name an address, a secret's variable, a program or its environment. */
const reachingKeys = new Set(['base_url', 'api_key_env', 'api_url', 'token_env', 'command', 'env', 'notify'])

/** Maps whose keys are names that a person chose. */
const namesBelow = new Set(['agents', 'roles'])

/** Everything in the file that needs trust, in a fixed order. Defaults and the user's own environment need none. */
export function configuredReach(file: unknown): Reach[] {
  const found = [...reachIn(file, []), ...publishing(file), ...database(file), ...origin(file), ...login(file)]
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** The text that trust is given to: equal for equal reach, whatever else the file says. */
export function reachContent(reach: readonly Reach[]): string {
  return JSON.stringify(reach.map(({ path, value }) => [path, value]))
}

export function untrustedMessage(label: string, reach: readonly Reach[]): string {
  const keys = reach.map(({ path }) => path).join(', ')
  return (
    `${label} reaches beyond this repository and you have not trusted it: ${keys}. Nothing was sent. ` +
    "See what it wants with 'convene trust --show', accept it with 'convene trust', or set CONVENE_TRUST=1 for one command."
  )
}

function reachIn(value: unknown, path: readonly string[]): Reach[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const below = [...path, key]
    const isName = path.length === 1 && namesBelow.has(path[0]!)
    const isRemote = path.length === 2 && path[0] === 'agents' && key === 'url'
    if (isRemote || (!isName && reachingKeys.has(key)))
      return isEmpty(child) ? [] : [{ path: below.join('.'), value: asText(child) }]
    return reachIn(child, below)
  })
}

/** Publishing with the user's token: a repository on GitHub together with what writes to it. */
function publishing(file: unknown): Reach[] {
  const repo = at(file, ['forge', 'github', 'repo'])
  if (isEmpty(repo)) return []
  const writes = [at(file, ['ship', 'pull_request']), at(file, ['forge', 'github', 'create_issues'])].some(
    (on) => on === true,
  )
  return writes ? [{ path: 'forge.github.repo', value: asText(repo) }] : []
}

/** All messages and events go to that database. Its password is neither shown nor compared. */
function database(file: unknown): Reach[] {
  const url = at(file, ['engine', 'url'])
  return isEmpty(url) ? [] : [{ path: 'engine.url', value: withoutPassword(asText(url)) }]
}

/** What is built is pushed there. */
function origin(file: unknown): Reach[] {
  const url = at(file, ['repository'])
  if (isEmpty(url)) return []
  const text = asText(url)
  return [{ path: 'repository', value: /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? withoutPassword(text) : text }]
}

/** The provider decides who gets in, and Convene sends it a secret. */
function login(file: unknown): Reach[] {
  const auth = at(file, ['auth'])
  if (typeof auth !== 'object' || auth === null) return []
  return Object.entries(auth).flatMap(([key, value]) =>
    isEmpty(value) ? [] : [{ path: `auth.${key}`, value: asText(value) }],
  )
}

/** By the parts that a URL has: what looks like a password to a pattern may name another server. */
function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return 'no address that could be read'
  const url = new URL(text)
  if (url.password === '') return url.href
  url.password = ''
  return url.href.replace('@', ':…@')
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (here, key) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, key)
        ? (here as Record<string, unknown>)[key]
        : undefined,
    value,
  )
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
