/** The worktree slots of all runs: created on demand, reused when released, removed with their run. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rmdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConveneError } from '../../kernel/errors.ts'
import type { SetupMode } from '../../rules/trust/setup-mode.ts'
import { GitFailed } from '../git/git.ts'
import { runGitPatiently } from '../git/patient-git.ts'
import type { Repository } from '../git/repository.ts'
import { recordsBelow, removeWorktree, type WorktreeRecord } from '../git/worktree-records.ts'
import { processQueue } from '../process-queue.ts'
import { removeTree, removeTrees } from '../remove-tree.ts'
import { addWorktree, sweepUnfinished } from './add-worktree.ts'
import { toGiveUp } from './disk-budget.ts'
import { folderBytes } from './folder-bytes.ts'
import { type SetupCommand, SlotPreparation, type SlotSetupRequest } from './prepare-slot.ts'
import { SetupCache } from './setup-cache.ts'
import { sharedPaths } from './share-links.ts'
import type { HeldWorktree, Slot } from './slot.ts'
import { SlotWorktree } from './slot-worktree.ts'

export type { Slot } from './slot.ts'

export interface WorktreeSettings {
  /** The folder for worktrees; defaults to the user's cache folder. */
  folder?: string
  /** Paths of the user's checkout, from the project's folder, that are linked into every slot. */
  share: string[]
  setup?: SetupCommand
  diskBudgetBytes?: number
}

interface RunSlots {
  folder: string
  all: Set<HeldWorktree>
  /** Most recently released last. */
  free: HeldWorktree[]
  nextNumber: number
}

const settlingMs = 3000

export class Worktrees {
  readonly #repository: Repository
  readonly #settings: WorktreeSettings
  readonly #shared: readonly string[]
  readonly #runs = new Map<string, Promise<RunSlots>>()
  /** The number of registered slot users of each run. */
  readonly #users = new Map<string, number>()
  readonly #handedOut = new WeakMap<Slot, { held: HeldWorktree; slots: RunSlots }>()
  /** Running operations, by run. */
  readonly #pending = new Map<Promise<unknown>, string>()
  #place?: Promise<{ folder: string; cache: SetupCache; preparation: SlotPreparation }>
  #closed = false

  constructor(repository: Repository, settings: WorktreeSettings) {
    this.#repository = repository
    this.#settings = settings
    this.#shared = sharedPaths(settings.share)
  }

  /** Returns a clean slot at the commit, set up as `mode` says (TR3). A failed set-up does not reject: see the slot's `setup`. */
  acquire(run: string, commit: string, mode: SetupMode = 'plain', onSetup?: () => Promise<void>): Promise<Slot> {
    if (this.#closed)
      return Promise.reject(new ConveneError('closed', 'worktrees are closed', { exitCode: 1, status: 503 }))
    return this.#track(run, this.#acquire(run, commit, { mode, onSetup }))
  }

  release(slot: Slot): void {
    const { held, slots } = this.#handedOut.get(slot) ?? {}
    if (!held || !slots) return
    this.#handedOut.delete(slot)
    held.usedAt = Date.now()
    slots.free.push(held)
  }

  /** Registers a slot user; call the result to unregister. Slots beyond the number of users are removed. */
  join(run: string): () => void {
    this.#users.set(run, (this.#users.get(run) ?? 0) + 1)
    let isGone = false
    return () => {
      if (isGone) return
      isGone = true
      this.#users.set(run, (this.#users.get(run) ?? 1) - 1)
      this.#track(run, this.#trim(run)).catch(() => undefined)
    }
  }

  /** Removes surplus slots while others work, to shorten the end of the run. */
  async #trim(run: string): Promise<void> {
    const slots = await this.#runs.get(run)
    const isSurplus = () => {
      const users = this.#users.get(run) ?? 0
      return users > 0 && slots !== undefined && slots.all.size > users && !this.#closed
    }
    while (slots && slots.free.length > 0 && isSurplus()) {
      const held = slots.free.shift()!
      slots.all.delete(held)
      await removeWorktree(this.#repository.gitFolder, held.worktree)
    }
  }

  /** Removes all slots of a run and git's records of them, including those of other processes. */
  async removeRun(run: string): Promise<void> {
    await this.#settled(run)
    await processQueue.run(this.#turnOf(run), async () => {
      this.#runs.delete(run)
      this.#users.delete(run)
      const { folder } = await this.#open()
      await this.#removeFolder(join(folder, folderName(run)))
      await rmdir(folder).catch(() => undefined)
    })
  }

  /** Waits briefly for users to release their slots. */
  async #settled(run: string): Promise<void> {
    const giveUpAt = Date.now() + settlingMs
    for (;;) {
      await Promise.allSettled([...this.#pending].filter(([, of]) => of === run).map(([work]) => work))
      const slots = await this.#runs.get(run)?.catch(() => undefined)
      if (!slots || slots.free.length >= slots.all.size || Date.now() > giveUpAt) return
      await sleep(20)
    }
  }

  /** Runs that have a folder here, including those of killed processes. */
  async leftoverRuns(): Promise<string[]> {
    const { folder } = await this.#open()
    const names = await readdir(folder).catch(() => [])
    return names.filter((name) => !name.startsWith('.'))
  }

  /** Waits for running operations. Slots stay: another process may resume a parked run. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending.keys())
  }

  async #acquire(run: string, name: string, setup: SlotSetupRequest): Promise<Slot> {
    const commit = await this.#commitOf(name)
    const { preparation } = await this.#open()
    const slots = await this.#slotsOf(run)
    const used = slots.free.pop()
    const reused = used ? await this.#reuse(slots, used, commit, setup) : null
    if (reused) return reused
    for (let isSecond = false; ; isSecond = true) {
      const added = await this.#add(slots, commit)
      try {
        return await this.#handOut(slots, added, await preparation.prepare(added, commit, setup))
      } catch (error) {
        // Somebody may have removed it before it was whole.
        const isLost = ![added.worktree.folder, added.worktree.record].every((path) => existsSync(path))
        await this.#discard(slots, added)
        if (isSecond || !isLost) throw error
      }
    }
  }

  /** A full hash that cannot be found is used as is; git reports a missing commit soon enough. */
  async #commitOf(name: string): Promise<string> {
    const commit = await this.#repository.resolve(name)
    if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return commit ?? name
    if (commit === null) throw new ConveneError('no_commit', `there is no commit ${name}`, { exitCode: 1, status: 404 })
    return commit
  }

  /** Null if the worktree cannot be repaired; the caller creates a new one. */
  async #reuse(slots: RunSlots, used: HeldWorktree, commit: string, setup: SlotSetupRequest): Promise<Slot | null> {
    const { preparation } = await this.#open()
    try {
      return await this.#handOut(slots, used, await preparation.prepare(used, commit, setup))
    } catch (error) {
      await this.#discard(slots, used)
      if (error instanceof GitFailed || (error as NodeJS.ErrnoException).syscall !== undefined) return null
      throw error
    }
  }

  async #handOut(slots: RunSlots, held: HeldWorktree, slot: Slot): Promise<Slot> {
    const isMeasured = held.bytes > 0 && slot.setup?.cached !== false
    if (this.#settings.diskBudgetBytes !== undefined && !isMeasured) held.bytes = await folderBytes(slot.folder)
    this.#handedOut.set(slot, { held, slots })
    return slot
  }

  /** Adds worktrees one at a time per repository, since concurrent adds race on git's locks. */
  #add(slots: RunSlots, commit: string): Promise<HeldWorktree> {
    return processQueue.run(this.#repository.gitFolder, async () => {
      await this.#makeRoom()
      const number = slots.nextNumber++
      const folder = join(slots.folder, String(number))
      const { gitFolder } = this.#repository
      const name = `convene-${basename(slots.folder)}-${number}`
      const added = await addWorktree({ gitFolder, folder, commit, name })
      const hasPlainHead = added !== null
      const worktree = new SlotWorktree(added ?? (await this.#addByGit(folder, commit)), { hasPlainHead })
      const held: HeldWorktree = { worktree, setup: null, bytes: 0, usedAt: Date.now() }
      slots.all.add(held)
      return held
    })
  }

  async #addByGit(folder: string, commit: string): Promise<WorktreeRecord> {
    await removeTree(folder)
    const args = ['worktree', 'add', '--detach', '--no-checkout', '--quiet', folder, commit]
    const request = { folder: this.#repository.root }
    const answer = await runGitPatiently(args, request, () => this.#removeWorktreeAt(folder))
    if (answer.code === 0) {
      const record = (await readFile(join(folder, '.git'), 'utf8')).trim().replace(/^gitdir: /, '')
      return { folder, record }
    }
    await this.#removeWorktreeAt(folder)
    throw new GitFailed(args, request.folder, answer)
  }

  /** Removes free slots and cached set-ups, oldest first, to stay within the disk budget. */
  async #makeRoom(): Promise<void> {
    const budget = this.#settings.diskBudgetBytes
    if (budget === undefined) return
    const { cache } = await this.#open()
    const runs = await Promise.all(this.#runs.values())
    const all = runs.flatMap((slots) => [...slots.all])
    const cached = await cache.list()
    const used = [...all, ...cached].reduce((sum, { bytes }) => sum + bytes, 0)
    const needed = Math.max(0, ...all.map(({ bytes }) => bytes))
    const free = runs.flatMap((slots) =>
      slots.free.map((held) => ({ ...held, remove: () => this.#giveUp(slots, held) })),
    )
    const copies = cached.map((each) => ({ ...each, remove: () => cache.remove(each.key) }))
    for (const item of toGiveUp([...free, ...copies], used, needed, budget)) await item.remove()
  }

  /** Does nothing if the slot was taken meanwhile. The caller holds the repository's queue. */
  async #giveUp(slots: RunSlots, held: HeldWorktree): Promise<void> {
    const index = slots.free.indexOf(held)
    if (index === -1) return
    slots.free.splice(index, 1)
    slots.all.delete(held)
    await removeWorktree(this.#repository.gitFolder, held.worktree)
  }

  #discard(slots: RunSlots, held: HeldWorktree): Promise<void> {
    slots.all.delete(held)
    return processQueue.run(this.#repository.gitFolder, () => removeWorktree(this.#repository.gitFolder, held.worktree))
  }

  #slotsOf(run: string): Promise<RunSlots> {
    const known = this.#runs.get(run)
    if (known) return known
    const slots = processQueue.run(this.#turnOf(run), () => this.#takeOver(run))
    this.#runs.set(run, slots)
    slots.catch(() => this.#runs.delete(run))
    return slots
  }

  /**
   * Removes what a killed process left of the run, and continues its numbering: an agent that outlived the process may still
   * write into its old slot, and must not write into a new one.
   */
  async #takeOver(run: string): Promise<RunSlots> {
    const { folder: all, cache } = await this.#open()
    const folder = join(all, folderName(run))
    const names = await readdir(folder).catch(() => [])
    await this.#removeFolder(folder).catch(() => undefined)
    await Promise.all([cache.sweep(), sweepUnfinished(this.#repository.gitFolder)])
    await mkdir(folder, { recursive: true })
    return {
      folder,
      all: new Set(),
      free: [],
      nextNumber: Math.max(0, ...names.map(Number).filter(Number.isInteger)) + 1,
    }
  }

  #removeFolder(folder: string): Promise<void> {
    const { gitFolder } = this.#repository
    return processQueue.run(gitFolder, async () => {
      const records = await recordsBelow(gitFolder, folder)
      await removeTrees([folder, ...records.map(({ record }) => record)])
      await rmdir(join(gitFolder, 'worktrees')).catch(() => undefined)
    })
  }

  async #removeWorktreeAt(folder: string): Promise<void> {
    const { gitFolder } = this.#repository
    const records = await recordsBelow(gitFolder, join(folder, '..'))
    for (const record of records) if (record.folder === folder) await removeWorktree(gitFolder, record)
    await removeTree(folder)
  }

  #open() {
    this.#place ??= this.#findPlace()
    return this.#place
  }

  async #findPlace() {
    const { root, gitFolder } = this.#repository
    const all = this.#settings.folder ?? defaultFolder(process.env)
    const folder = join(all, repositoryName(root, gitFolder))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Git records real paths, which are compared with these.
    const real = await realpath(folder)
    if (real.startsWith(root + sep)) await this.#repository.excludeFromGit(`/${relative(root, await realpath(all))}/`)
    const cache = new SetupCache(join(real, '.setups'))
    const preparation = new SlotPreparation(this.#repository, cache, {
      shared: this.#shared,
      setup: this.#settings.setup,
    })
    return { folder: real, cache, preparation }
  }

  #turnOf(run: string): string {
    return `${this.#repository.gitFolder}\0${run}`
  }

  #track<Value>(run: string, work: Promise<Value>): Promise<Value> {
    this.#pending.set(work, run)
    const forget = () => this.#pending.delete(work)
    work.then(forget, forget)
    return work
  }
}

export function defaultFolder(
  env: Record<string, string | undefined>,
  platform = process.platform,
  home = homedir(),
): string {
  const macOS = join(home, 'Library', 'Caches')
  const cache = env.XDG_CACHE_HOME || (platform === 'darwin' ? macOS : join(home, '.cache'))
  return join(cache, 'convene', 'worktrees')
}

/** Only plain letters: some tools cannot handle others in a path. */
function repositoryName(root: string, gitFolder: string): string {
  return `${plain(basename(root)) || 'repository'}-${hash(gitFolder)}`
}

function folderName(run: string): string {
  return /^[A-Za-z0-9][\w-]{0,99}$/.test(run) ? run : `${plain(run)}-${hash(run)}`
}

function plain(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
