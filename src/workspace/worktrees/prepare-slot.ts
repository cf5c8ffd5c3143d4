/** Makes a worktree a slot: exactly the commit, shared paths linked, submodules filled, the setup done. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Repository } from '../git/repository.ts'
import { removeTree } from '../remove-tree.ts'
import { Manifests } from './manifests.ts'
import type { SetupCache } from './setup-cache.ts'
import { recordSetupFiles, restoreSetupFiles } from './setup-files.ts'
import { setupKey } from './setup-key.ts'
import { linkShared } from './share-links.ts'
import type { HeldWorktree, Slot, SlotSetup } from './slot.ts'
import { fillSubmodules, type Gitlink, gitlinksOf } from './submodules.ts'
import { untrackedFiles } from './untracked-files.ts'

export interface SetupCommand {
  command: string
  run: (folder: string) => Promise<SetupEnd>
}

interface SetupEnd {
  exitCode: number
  /** The end of what it printed. */
  tail?: string
}

export class SlotPreparation {
  readonly #repository: Repository
  readonly #cache: SetupCache
  readonly #shared: readonly string[]
  readonly #setup: SetupCommand | undefined
  readonly #manifests: Manifests
  /** Setups that run now; others that need the same wait for it. */
  readonly #running = new Map<string, Promise<SetupEnd>>()
  /** How many have ended. */
  #ended = 0
  /** Setups that leave nothing to copy, or nothing that can be copied. */
  readonly #uncopied = new Map<string, 'nothing' | 'in place'>()
  readonly #gitlinks = new Map<string, Gitlink[]>()
  #hasNoGitlinks?: boolean
  #isSweptByGit = false

  constructor(
    repository: Repository,
    cache: SetupCache,
    settings: { shared: readonly string[]; setup?: SetupCommand },
  ) {
    this.#repository = repository
    this.#cache = cache
    this.#shared = settings.shared
    this.#setup = settings.setup
    this.#manifests = new Manifests(repository.trees)
  }

  async prepare(held: HeldWorktree, commit: string): Promise<Slot> {
    const { worktree } = held
    const { root, prefix } = this.#repository
    const project = resolve(worktree.folder, prefix)
    await worktree.checkOut(commit)
    const key = await this.#keyOf(commit)
    const isSetUp = await this.#clean(held, commit, key)
    const gitlinks = await this.#gitlinksOf(held, commit)
    await fillSubmodules(gitlinks, {
      checkout: root,
      slot: worktree.folder,
      indexes: join(worktree.record, 'convene-modules'),
    })
    await mkdir(project, { recursive: true })
    const linked = await linkShared(join(root, prefix), project, this.#shared)
    const links = linked.map((path) => prefix + path)
    await worktree.showToGit()
    const setup = key === null ? undefined : isSetUp ? this.#done(true) : await this.#setUp(held, key, project, links)
    const notOurs = [...links, ...gitlinks.map(({ path }) => path), ...(held.setup?.files.made ?? [])]
    return {
      folder: worktree.folder,
      project,
      commit,
      snapshot: async () => ({ tree: await worktree.writeTree(notOurs) }),
      ...(setup ? { setup } : {}),
    }
  }

  async #keyOf(commit: string): Promise<string | null> {
    if (!this.#setup) return null
    return setupKey(this.#setup.command, this.#repository.prefix, await this.#manifests.at(commit))
  }

  /** Whether what the same setup made stands there untouched, or was put back. */
  async #clean(held: HeldWorktree, commit: string, key: string | null): Promise<boolean> {
    const { worktree, setup } = held
    if (setup === null || setup.key !== key) {
      held.setup = null
      await this.#sweep(held, commit, [])
      return false
    }
    await this.#sweep(held, commit, setup.files.made)
    const findCopy = async () => (await this.#cache.find(setup.key))?.files ?? null
    const state = await restoreSetupFiles(worktree.folder, setup.files, findCopy)
    if (state === 'untouched') return true
    if (state === 'lost') {
      held.setup = null
      await this.#sweep(held, commit, [])
    }
    // What was taken away as an addition may be a tracked file of this commit.
    await worktree.restoreTracked()
    return state === 'restored'
  }

  /** Takes away all that is not the commit's: by our own hand where that is safe, else by git's. */
  async #sweep({ worktree }: HeldWorktree, commit: string, kept: readonly string[]): Promise<void> {
    const untracked = this.#isSweptByGit
      ? null
      : await untrackedFiles(this.#repository.trees, worktree.folder, commit, kept).catch(() => null)
    if (untracked === null) {
      this.#isSweptByGit = true
      return worktree.clean(kept)
    }
    for (const path of untracked) await removeTree(join(worktree.folder, path))
  }

  /** Not looked up again where the first commit had none and there is no sign of any: no snapshot ever adds a submodule. */
  async #gitlinksOf({ worktree }: HeldWorktree, commit: string): Promise<Gitlink[]> {
    if (this.#hasNoGitlinks && !existsSync(join(worktree.folder, '.gitmodules'))) return []
    const known = this.#gitlinks.get(commit)
    if (known) return known
    const links = await gitlinksOf({ folder: this.#repository.root }, commit)
    this.#hasNoGitlinks ??= links.length === 0
    this.#gitlinks.set(commit, links)
    return links
  }

  async #setUp(held: HeldWorktree, key: string, project: string, links: readonly string[]): Promise<SlotSetup> {
    const uncopied = this.#uncopied.get(key)
    if (uncopied === 'nothing') return this.#done(true)
    if (uncopied === 'in place') return this.#execute(held, key, project, links)
    const ended = this.#ended
    if (await this.#copy(held, key)) return this.#done(true)
    const running = this.#running.get(key)
    // One that ended while a copy was looked for may have left one.
    if (!running && ended !== this.#ended) return this.#setUp(held, key, project, links)
    if (!running) return this.#execute(held, key, project, links)
    const outcome = await running.catch(() => null)
    if (outcome === null || outcome.exitCode === 0) return this.#setUp(held, key, project, links)
    return this.#done(true, outcome)
  }

  async #copy(held: HeldWorktree, key: string): Promise<boolean> {
    const { worktree } = held
    const made = await this.#cache.copyTo(key, worktree.folder)
    if (made === null) return false
    held.setup = { key, files: await recordSetupFiles(worktree.folder, made) }
    await worktree.restoreTracked()
    return true
  }

  async #execute(held: HeldWorktree, key: string, project: string, links: readonly string[]): Promise<SlotSetup> {
    const work = this.#executeAndRecord(held, key, project, links)
    this.#running.set(key, work)
    try {
      return this.#done(false, await work)
    } finally {
      this.#ended++
      if (this.#running.get(key) === work) this.#running.delete(key)
    }
  }

  async #executeAndRecord(
    held: HeldWorktree,
    key: string,
    project: string,
    links: readonly string[],
  ): Promise<SetupEnd> {
    const { worktree } = held
    const end = await this.#setup!.run(project)
    const { exitCode } = end
    const { untracked, changed } = await worktree.status()
    if (changed) await worktree.restoreTracked()
    const made = untracked.filter((path) => !links.includes(path))
    const files = await recordSetupFiles(worktree.folder, made)
    // A setup that failed has no key, so that nothing of it is kept the next time.
    held.setup = { key: exitCode === 0 ? key : '', files }
    if (exitCode !== 0) return end
    if (made.length === 0) this.#uncopied.set(key, 'nothing')
    else if (!files.movable) this.#uncopied.set(key, 'in place')
    else await this.#cache.store(key, worktree.folder, files)
    return { exitCode }
  }

  #done(cached: boolean, { exitCode, tail }: SetupEnd = { exitCode: 0 }): SlotSetup {
    const said = exitCode === 0 || tail === undefined ? {} : { tail }
    return { exitCode, command: this.#setup!.command, cached, ...said }
  }
}
