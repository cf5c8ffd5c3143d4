/** What a file exports, gathered while it is read and applied to its symbols at the end. Shared by all languages. */
import type { SymbolFacts } from '../../rules/build/syntax-facts.ts'
import { aliasFacts, draftFacts, foreignFacts, orderOverloads, type SymbolDraft } from './drafts.ts'

export class ExportList {
  readonly #named = new Set<string>()
  readonly #default = new Set<string>()
  readonly #aliases = new Map<string, string>()
  readonly #foreign = new Map<string, readonly string[]>()

  /** A name of this file, under itself or under another. */
  add(local: string, exported = local): void {
    if (local === exported) this.#named.add(local)
    else this.#aliases.set(exported, local)
  }

  /** The default export, where it has a name of its own. */
  addDefault(local: string): void {
    this.#default.add(local)
  }

  /** Something of another file. */
  addForeign(exported: string, source: readonly string[]): void {
    this.#foreign.set(exported, source)
  }

  /** `imported` tells where a name that is not declared here comes from. */
  apply(drafts: readonly SymbolDraft[], imported: ReadonlyMap<string, readonly string[]>): SymbolFacts[] {
    const ordered = orderOverloads(drafts)
    const byRoot = Map.groupBy(ordered, ({ root }) => root)
    const own = ordered.flatMap((draft) => {
      const isExported = this.#named.has(draft.root) || this.#default.has(draft.root)
      return draftFacts(draft, isExported, draft.name === draft.root ? this.#markOf(draft.root) : '')
    })
    const missing = [...this.#named].filter((name) => !byRoot.has(name)).map((name) => [name, name] as const)
    const defaults = [...this.#default].filter((name) => !byRoot.has(name)).map((name) => ['default', name] as const)
    const renamed = [...missing, ...defaults, ...this.#aliases].flatMap(([exported, local]) => {
      const targets = byRoot.get(local)
      if (targets) return targets.filter(({ isHidden }) => !isHidden).map((draft) => aliasFacts(draft, exported))
      return [foreignFacts(exported, imported.get(local) ?? [local])]
    })
    return [...own, ...renamed, ...[...this.#foreign].map(([name, source]) => foreignFacts(name, source))]
  }

  #markOf(name: string): string {
    if (!this.#default.has(name) || name === 'default') return ''
    return this.#named.has(name) ? 'also default' : 'default'
  }
}
