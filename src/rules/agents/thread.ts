/** Decides how a coding agent gets the conversation that an ask continues. SPEC.md § AG5. */

/** Where an earlier reply was given. */
export interface ThreadMark {
  agent: string
  session: string
  /** How many prompts the session had received by then. */
  turn: number
  kind: string
  folder: string
}

export interface ThreadFacts {
  agent: string
  kind: string
  folder: string
  mark: ThreadMark | null
  /** The session as it is now; null if its process is gone or busy. */
  live: { turn: number; folder: string } | null
  canFork: boolean
  canLoad: boolean
}

/**
 * `continue`: the next prompt of the same session. `fork`: a copy of it, so that others can start from it too. `load`: the
 * session is read back by a new process. `replay`: a new session that is told what was said.
 */
export type ThreadPlan = 'continue' | 'fork' | 'load' | 'replay'

export function planThread({ agent, kind, folder, mark, live, canFork, canLoad }: ThreadFacts): ThreadPlan {
  // A session belongs to one agent and one folder, and what was said in it later does not belong to this thread.
  if (!mark || mark.agent !== agent || mark.folder !== folder) return 'replay'
  if (live && (live.turn !== mark.turn || live.folder !== folder)) return 'replay'
  const isSameWork = mark.kind === kind
  if (live) return isSameWork ? 'continue' : canFork ? 'fork' : 'replay'
  return isSameWork && canLoad ? 'load' : 'replay'
}
