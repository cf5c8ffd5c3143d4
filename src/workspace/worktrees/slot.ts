/** A slot: a clean place at one commit, for one agent or one check at a time. */
import type { SetupFiles } from './setup-files.ts'
import type { SlotWorktree } from './slot-worktree.ts'

export interface Slot {
  /** Top of the worktree. */
  readonly folder: string
  /** The project's folder in it. */
  readonly project: string
  readonly commit: string
  /** The files as they are now. What the setup made, shared paths and submodules are left as the commit has them. */
  snapshot(): Promise<{ tree: string }>
  setup?: SlotSetup
}

export interface SlotSetup {
  exitCode: number
  command: string
  /** Whether it was not run for this slot now. */
  cached: boolean
  /** The end of what it printed, where it failed. */
  tail?: string
}

/** A worktree between its uses. */
export interface HeldWorktree {
  readonly worktree: SlotWorktree
  /** What a setup has left in it; null where none stands. */
  setup: { key: string; files: SetupFiles } | null
  bytes: number
  usedAt: number
}
