/** Reads git objects through one long-lived process: a build reads thousands. */
import { type GitObject, readObject } from './git-output.ts'
import { GitTalk } from './git-talk.ts'

/** A whole hash, alone or with a path or a peeling after it: it names the same object for ever. */
const neverChanges = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?:$|[:^])/

/** Trees and manifests, which several rules read of the same two commits. */
const smallBytes = 32 * 1024
const keptObjects = 400

/** Brings a commit from elsewhere; false if it is not there either. */
export type FetchMissing = (commit: string) => Promise<boolean>

export class ObjectReader {
  readonly #talk: GitTalk
  readonly #small = new Map<string, GitObject>()
  readonly #fetch: FetchMissing | undefined
  readonly #fetching = new Map<string, Promise<boolean>>()

  constructor(folder: string, fetch?: FetchMissing) {
    this.#fetch = fetch
    this.#talk = new GitTalk(folder, ['cat-file', '--batch-command', '-z'])
  }

  /** Resolves a name; refs are read anew each time. Null if there is no such object. */
  async find(name: string): Promise<Omit<GitObject, 'content'> | null> {
    return this.#ask(name, false)
  }

  async read(name: string): Promise<GitObject | null> {
    const known = this.#small.get(name)
    if (known) return known
    const found = await this.#ask(name, true)
    if (found && found.size <= smallBytes && neverChanges.test(name)) this.#keep(name, found)
    return found
  }

  #keep(name: string, object: GitObject): void {
    // Its bytes are part of a larger piece of git's output.
    this.#small.set(name, { ...object, content: Buffer.from(object.content) })
    if (this.#small.size > keptObjects) this.#small.delete(this.#small.keys().next().value!)
  }

  async #ask(name: string, withContent: boolean): Promise<GitObject | null> {
    if (name === '' || name.includes('\0')) return null
    const request = `${withContent ? 'contents' : 'info'} ${name}\0`
    const read = (bytes: Buffer) => {
      const found = readObject(bytes, name, withContent)
      return 'needed' in found ? found : { answer: found.object, length: found.length }
    }
    // The process may have been killed: retry with a new one.
    const ask = () => this.#talk.ask(request, read).catch(() => this.#talk.ask(request, read))
    const found = await ask()
    if (found || !this.#fetch || !neverChanges.test(name)) return found
    const commit = /^[0-9a-f]+/.exec(name)![0]
    const isThere = commit === name ? false : (await this.find(commit)) !== null
    return isThere || !(await this.#fetchOnce(commit, this.#fetch)) ? null : ask()
  }

  /** A commit that is nowhere is asked for once. */
  #fetchOnce(commit: string, fetch: FetchMissing): Promise<boolean> {
    const known = this.#fetching.get(commit)
    if (known) return known
    const fetching = fetch(commit).then((isFetched) => {
      if (isFetched) this.#fetching.delete(commit)
      return isFetched
    })
    this.#fetching.set(commit, fetching)
    fetching.catch(() => this.#fetching.delete(commit))
    return fetching
  }
}
