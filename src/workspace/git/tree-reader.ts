/** Reads trees of commits, and caches them: trees are content-addressed. */
import { readTree, type TreePart } from './git-output.ts'
import type { ObjectReader } from './object-reader.ts'

export type TreeParts = ReadonlyMap<string, TreePart>

const kept = 5000

export class TreeReader {
  readonly #objects: ObjectReader
  readonly #known = new Map<string, TreeParts>()

  constructor(objects: ObjectReader) {
    this.#objects = objects
  }

  /** By its hash, or as `<commit>^{tree}`. Null if there is no such tree. */
  async parts(name: string): Promise<TreeParts | null> {
    const known = this.#known.get(name)
    if (known) return known
    const tree = await this.#objects.read(name)
    if (tree?.type !== 'tree') return null
    const parts = this.#known.get(tree.hash) ?? readTree(tree.content, tree.hash.length / 2)
    this.#known.set(tree.hash, parts)
    if (this.#known.size > kept) this.#known.delete(this.#known.keys().next().value!)
    return parts
  }
}

export function isFolder({ mode }: TreePart): boolean {
  return mode.startsWith('04')
}

export function isSubmodule({ mode }: TreePart): boolean {
  return mode.startsWith('16')
}
