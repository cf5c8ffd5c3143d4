/** TR6: when an owner may leave, how long a client waits for it, and whose environment hosted work runs in. */

export interface AttachedClient {
  /** Whether its process still lives. */
  alive: boolean
  /** Its requests that are being answered, open event streams included. */
  openRequests: number
  /** Since its last request. */
  idleMs: number
  /** The runs whose events it is reading. */
  follows: readonly string[]
}

export interface HostedRun {
  /** Started by the owner's own command: it ends, or is left to `resume`, with that command. */
  own: boolean
  /** Waits for a person's answer. */
  waits: boolean
  /** No step of it is executing. */
  atRest: boolean
  /** Has many steps, such as a build or a ship: it may go on for hours. */
  long: boolean
  /** A living command follows it, and continues it when the owner changes. */
  followed: boolean
}

/** Covers the pause between two requests of one command. */
const attachedMs = 2_000

/** What an owner whose own work is done stays for; it may leave when both are 0. */
export function ownerStaysFor(clients: readonly AttachedClient[], runs: readonly HostedRun[]) {
  return {
    clients: clients.filter(({ alive, openRequests, idleMs }) => alive && (openRequests > 0 || idleMs < attachedMs))
      .length,
    runs: runs.filter(({ own, waits, atRest }) => !own && !(waits && atRest)).length,
  }
}

/** Whether the owner leaves long work, between calls, to the commands that follow it, instead of staying until it ends. */
export function ownerHandsOver(runs: readonly HostedRun[]): boolean {
  const hosted = runs.filter(({ own, waits, atRest }) => !own && !(waits && atRest))
  return hosted.some(({ long }) => long) && hosted.every(({ followed }) => followed)
}

/** What an owner notes before its connections break. */
export interface Leaving {
  pid: number
  started: string | null
  /** No step was executing. */
  atRest: boolean
}

/**
 * [TR6] What became of an owner that no longer responds: it left between two steps, it ended in the middle of some, or it
 * said nothing, as one that was killed.
 */
export function ownerLeft(
  owner: Pick<Leaving, 'pid' | 'started'>,
  noted: Leaving | null,
): 'between-steps' | 'in-a-step' | 'unsaid' {
  if (noted?.pid !== owner.pid || noted.started !== owner.started) return 'unsaid'
  return noted.atRest ? 'between-steps' : 'in-a-step'
}

const firstWaitMs = 50
const longestWaitMs = 1_000
const silentMs = 5_000
const unseenMs = 15_000
const unseenTries = 15

export type OwnerWait = { kind: 'wait'; ms: number; say: boolean } | { kind: 'give-up' }

export interface WaitedForOwner {
  tries: number
  ms: number
  /** Whether the person was told. */
  said: boolean
  /** Null where the lock names no process, as between two owners, or when its holder is in another container. */
  alive: boolean | null
  /** Since an owner's process was last seen alive; on a busy machine few tries may take long, so both count. */
  unseen: { tries: number; ms: number }
}

/**
 * What a client does that cannot reach the owner. It waits as long as the owner's process lives, and while owners follow
 * one another. It gives up on a lock whose holder could not be seen for a while.
 */
export function waitForOwner({ tries, ms, said, alive, unseen }: WaitedForOwner): OwnerWait {
  if (!alive && unseen.ms > unseenMs && unseen.tries > unseenTries) return { kind: 'give-up' }
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 10))
  return { kind: 'wait', ms: wait, say: alive === true && !said && ms > silentMs }
}

/**
 * The variables in which a client's environment contradicts the owner's: set here, and missing or different there. A
 * client without a key uses the owner's. Values are fingerprints, null where a variable is not set.
 */
export function contradictingVariables(
  owner: Readonly<Record<string, string | null>>,
  client: (variable: string) => string | null,
): string[] {
  return Object.entries(owner)
    .filter(([name, theirs]) => {
      const ours = client(name)
      return ours !== null && ours !== theirs
    })
    .map(([name]) => name)
    .sort()
}
