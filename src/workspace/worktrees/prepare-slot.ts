/** Prepares a worktree as a slot: checks out the commit, links shared paths, fills submodules and runs the set-up. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { SetupMode } from '../../rules/trust/setup-mode.ts'
import type { CommandEnd } from '../commands/command.ts'
import type { Repository } from '../git/repository.ts'
import { removeTree } from '../remove-tree.ts'
import { Manifests } from './manifests.ts'
import { settleSetup } from './relocate-setup.ts'
import type { SetupCache } from './setup-cache.ts'
import { recordSetupFiles, restoreSetupFiles } from './setup-files.ts'
import { setupKey } from './setup-key.ts'
import { linkShared } from './share-links.ts'
import type { HeldWorktree, Slot, SlotSetup } from './slot.ts'
import { fillSubmodules, type Gitlink, gitlinksOf } from './submodules.ts'
import { untrackedFiles } from './untracked-files.ts'

export interface SetupCommand {
  command: string
  run: (folder: string, mode: SetupMode) => Promise<SetupEnd>
}

interface SetupEnd {
  exitCode: number
  ended?: CommandEnd
  /** The end of its output. */
  tail?: string
}

/** How a slot is set up. `onSetup` is called before the command runs; a set-up that is copied or still there runs nothing. */
export interface SlotSetupRequest {
  mode: SetupMode
  onSetup?: (() => Promise<void>) | undefined
}

/** One set-up of one slot. */
interface SetupWork extends SlotSetupRequest {
  key: string
  project: string
  links: readonly string[]
}

export class SlotPreparation {
  readonly #repository: Repository
  readonly #cache: SetupCache
  readonly #shared: readonly string[]
  readonly #setup: SetupCommand | undefined
  readonly #manifests: Manifests
  /** Running set-ups, by key; slots with the same key wait for them. */
  readonly #running = new Map<string, Promise<SetupEnd>>()
  /** The number of set-ups that have ended. */
  #ended = 0
  /** Set-ups that produce nothing to copy, or nothing that can be copied. */
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

  async prepare(held: HeldWorktree, commit: string, request: SlotSetupRequest): Promise<Slot> {
    const { mode } = request
    const { worktree } = held
    const { root, prefix } = this.#repository
    const project = resolve(worktree.folder, prefix)
    await worktree.checkOut(commit)
    const key = await this.#keyOf(commit, mode)
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
    const setup =
      key === null
        ? undefined
        : isSetUp
          ? this.#done(true)
          : await this.#setUp(held, { ...request, key, project, links })
    const notOurs = [...links, ...gitlinks.map(({ path }) => path), ...(held.setup?.files.made ?? [])]
    return {
      folder: worktree.folder,
      project,
      commit,
      snapshot: async () => ({ tree: await worktree.writeTree(notOurs) }),
      changedFiles: () => worktree.changedFiles(),
      ...(setup ? { setup } : {}),
    }
  }

  async #keyOf(commit: string, mode: SetupMode): Promise<string | null> {
    if (!this.#setup) return null
    return setupKey(this.#setup.command, this.#repository.prefix, await this.#manifests.at(commit), mode)
  }

  /** Whether the set-up's products are untouched, or were restored. */
  async #clean(held: HeldWorktree, commit: string, key: string | null): Promise<boolean> {
    const { worktree, setup } = held
    if (setup === null || setup.key !== key) {
      held.setup = null
      await this.#sweep(held, commit, [])
      return false
    }
    await this.#sweep(held, commit, setup.files.made)
    const findCopy = () => this.#cache.find(setup.key)
    const state = await restoreSetupFiles(worktree.folder, setup.files, findCopy)
    if (state === 'untouched') return true
    if (state === 'lost') {
      held.setup = null
      await this.#sweep(held, commit, [])
    }
    // A removed addition may be a tracked file of this commit.
    await worktree.restoreTracked()
    return state === 'restored'
  }

  /** Removes everything untracked: directly if that is safe, else with git. */
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

  /** Skipped if the first commit had no submodules: snapshots never add any. */
  async #gitlinksOf({ worktree }: HeldWorktree, commit: string): Promise<Gitlink[]> {
    if (this.#hasNoGitlinks && !existsSync(join(worktree.folder, '.gitmodules'))) return []
    const known = this.#gitlinks.get(commit)
    if (known) return known
    const links = await gitlinksOf({ folder: this.#repository.root }, commit)
    this.#hasNoGitlinks ??= links.length === 0
    this.#gitlinks.set(commit, links)
    return links
  }

  async #setUp(held: HeldWorktree, work: SetupWork): Promise<SlotSetup> {
    const { key } = work
    const uncopied = this.#uncopied.get(key)
    if (uncopied === 'nothing') return this.#done(true)
    if (uncopied === 'in place') return this.#execute(held, work)
    const ended = this.#ended
    if (await this.#copy(held, key)) return this.#done(true)
    const running = this.#running.get(key)
    // A set-up that ended during the lookup may have left a copy.
    if (!running && ended !== this.#ended) return this.#setUp(held, work)
    if (!running) return this.#execute(held, work)
    const outcome = await running.catch(() => null)
    if (outcome === null || outcome.exitCode === 0) return this.#setUp(held, work)
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

  async #execute(held: HeldWorktree, work: SetupWork): Promise<SlotSetup> {
    const { key } = work
    const ending = this.#executeAndRecord(held, work)
    this.#running.set(key, ending)
    try {
      return this.#done(false, await ending)
    } finally {
      this.#ended++
      if (this.#running.get(key) === ending) this.#running.delete(key)
    }
  }

  async #executeAndRecord(held: HeldWorktree, work: SetupWork): Promise<SetupEnd> {
    const { key, mode, project, links } = work
    const { worktree } = held
    await work.onSetup?.()
    const end = await this.#setup!.run(project, mode)
    const { exitCode } = end
    const { untracked, changed } = await worktree.status()
    if (changed) await worktree.restoreTracked()
    const made = untracked.filter((path) => !links.includes(path))
    await settleSetup(worktree.folder, made)
    const files = await recordSetupFiles(worktree.folder, made)
    // A failed set-up has no key, so that nothing of it is reused.
    held.setup = { key: exitCode === 0 ? key : '', files }
    if (exitCode !== 0) return end
    if (made.length === 0) this.#uncopied.set(key, 'nothing')
    else if (!files.movable) this.#uncopied.set(key, 'in place')
    else await this.#cache.store(key, worktree.folder, files)
    return { exitCode }
  }

  #done(cached: boolean, { exitCode, ...said }: SetupEnd = { exitCode: 0 }): SlotSetup {
    return { exitCode, command: this.#setup!.command, cached, ...(exitCode === 0 ? {} : said) }
  }
}
