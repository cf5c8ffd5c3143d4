/**
 * A clone whose machine works with others on the same builds. Convene's own refs are those of the common repository: each
 * look asks there, each move is pushed before it counts. Commits that another machine made are fetched when they are needed.
 */
import { findRepository } from './open-repository.ts'
import { Origin, type OriginSettings } from './origin.ts'
import { Repository } from './repository.ts'

const ours = /^refs\/(?:heads\/)?convene\//

export class SharedRepository extends Repository {
  readonly #origin: Origin

  private constructor(place: ConstructorParameters<typeof Repository>[0], origin: Origin) {
    super(place, { fetch: (commit) => origin.fetch(commit) })
    this.#origin = origin
  }

  static async openShared(folder: string, settings: Omit<OriginSettings, 'folder'>): Promise<SharedRepository> {
    const place = await findRepository(folder)
    return new SharedRepository(place, new Origin({ folder: place.root, ...settings }))
  }

  override async resolve(ref: string): Promise<string | null> {
    if (!ours.test(ref)) return super.resolve(ref)
    const commit = await this.#origin.at(ref)
    // Asking for the commit fetches it.
    return commit === null ? null : super.resolve(commit)
  }

  override async updateRef(ref: string, to: string, from: string | null): Promise<boolean> {
    if (!ours.test(ref)) return super.updateRef(ref, to, from)
    await super.resolve(to)
    if (!(await this.#origin.move(ref, to, from))) return false
    await super.setRef(ref, to)
    return true
  }

  override async setRef(ref: string, to: string): Promise<void> {
    // It may be a commit of another machine, which is fetched by this.
    await super.resolve(to)
    if (ours.test(ref)) await this.#origin.set(ref, to)
    await super.setRef(ref, to)
  }

  override deleteRef(ref: string): Promise<void> {
    return this.deleteRefs([ref])
  }

  override async deleteRefs(refs: readonly string[]): Promise<void> {
    await this.#origin.remove(refs.filter((ref) => ours.test(ref)))
    await super.deleteRefs(refs)
  }

  override async listRefs(prefix: string): Promise<{ ref: string; commit: string }[]> {
    if (!ours.test(prefix)) return super.listRefs(prefix)
    return (await this.#origin.list(`${prefix}*`)).filter(({ ref }) => ref.startsWith(prefix))
  }

  override publish(ref: string, to: string): Promise<void> {
    return this.#origin.set(ref, to)
  }
}
