/** A slot: a clean worktree at one commit, used by one agent or one check at a time. */
import type { CommandEnd } from '../commands/command.ts'
import type { SetupFiles } from './setup-files.ts'
import type { SlotWorktree } from './slot-worktree.ts'

export interface Slot {
  /** Top of the worktree. */
  readonly folder: string
  /** The project's folder in it. */
  readonly project: string
  readonly commit: string
  /** The current files as a tree. Set-up products, shared paths and submodules keep the commit's state. */
  snapshot(): Promise<{ tree: string }>
  /** Tracked files that are not as in the commit any more, from the top of the worktree. */
  changedFiles(): Promise<string[]>
  setup?: SlotSetup
}

export interface SlotSetup {
  exitCode: number
  command: string
  /** Whether the result came from the cache. */
  cached: boolean
  /** The end of its output, if it failed. */
  tail?: string
  /** How it ended, if it failed. */
  ended?: CommandEnd
}

/** A worktree between its uses. */
export interface HeldWorktree {
  readonly worktree: SlotWorktree
  /** What a set-up produced in it, or null. */
  setup: { key: string; files: SetupFiles } | null
  bytes: number
  usedAt: number
}
