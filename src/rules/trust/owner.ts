/** TR6: when an owner may leave, how long a client waits for it, and whose environment hosted work runs in. */

export interface AttachedClient {
  /** Whether its process still lives. */
  alive: boolean
  /** Its requests that are being answered, open event streams included. */
  openRequests: number
  /** Since its last request. */
  idleMs: number
}

export interface HostedRun {
  /** Started by the owner's own command: it ends, or is left to `resume`, with that command. */
  own: boolean
  /** Waits for a person's answer. */
  waits: boolean
  /** No step of it is executing. */
  atRest: boolean
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

const firstWaitMs = 50
const longestWaitMs = 1_000
const silentMs = 5_000
const unknownHolderMs = 15_000

export type OwnerWait = { kind: 'wait'; ms: number; say: boolean } | { kind: 'give-up' }

/**
 * What a client does that cannot reach the owner. It waits as long as the owner's process lives. `alive` is null where
 * the lock is held by a process that cannot be seen, as in another container: then the client gives up after a while.
 */
export function waitForOwner(waited: { tries: number; ms: number; said: boolean; alive: boolean | null }): OwnerWait {
  if (!waited.alive && waited.ms > unknownHolderMs) return { kind: 'give-up' }
  const ms = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(waited.tries, 10))
  return { kind: 'wait', ms, say: waited.alive === true && !waited.said && waited.ms > silentMs }
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
