/** Lists the lock files and manifests of a commit, in all folders. */

import { isFolder, isSubmodule, type TreeReader } from '../git/tree-reader.ts'
import { manifestPatterns } from './setup-key.ts'

/** One line per file, with its content hash. Unchanged folders are not read again. */
export class Manifests {
  readonly #trees: TreeReader
  readonly #below = new Map<string, Promise<string[]>>()

  constructor(trees: TreeReader) {
    this.#trees = trees
  }

  async at(commit: string): Promise<string> {
    return (await this.#listed(`${commit}^{tree}`)).join('\n')
  }

  async #listed(tree: string): Promise<string[]> {
    const parts = [...((await this.#trees.parts(tree)) ?? [])]
    const found = await Promise.all(
      parts.map(async ([name, part]) => {
        if (isSubmodule(part)) return []
        if (!isFolder(part)) return manifestName.test(name) ? [`${part.mode} ${part.hash} ${name}`] : []
        return (await this.#in(part.hash)).map((line) => `${line} in ${name}`)
      }),
    )
    return found.flat()
  }

  #in(hash: string): Promise<string[]> {
    const known = this.#below.get(hash)
    if (known) return known
    const listed = this.#listed(hash)
    this.#below.set(hash, listed)
    listed.catch(() => this.#below.delete(hash))
    if (this.#below.size > kept) this.#below.delete(this.#below.keys().next().value!)
    return listed
  }
}

/** By a file's name, in any folder. */
export const isManifest = (name: string): boolean => manifestName.test(name)

const kept = 200_000

const manifestName = new RegExp(
  `^(?:${manifestPatterns
    .map((pattern) =>
      pattern
        .split('*')
        .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
        .join('.*'),
    )
    .join('|')})$`,
  's',
)
