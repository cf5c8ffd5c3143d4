/** The processes that share a project, as they are shown. */
export interface WorkerDescription {
  id: string
  host: string
  pid: number
  started: string
  /** How many runs it takes at once; null without a limit. */
  capacity: number | null
  /** Runs that it is at work on; those that wait do not count. */
  busy: number
  agents: string[]
  version: string
  alive: boolean
}

/** A run that no living process executes. */
export interface WaitingRun {
  run: string
  kind: string
  /** When it was started or last worked on. */
  since: string
}

/** What a process takes of the shared work. */
export interface WorkSettings {
  /** False: it starts runs for others and executes none. */
  executes?: boolean
  capacity?: number
  /** The agents whose work it takes; all of the configuration without it. */
  agents?: string[]
  /** Which runs it takes: by their workflow and, for a run that exists, by its input. */
  takes?: (workflow: string, input?: unknown) => boolean
}
