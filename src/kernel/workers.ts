/** The processes that share a project, as they are shown. */
export interface WorkerDescription {
  id: string
  host: string
  pid: number
  started: string
  /** How many top-level runs it takes at once; null without a limit. */
  capacity: number | null
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
  takes?: (workflow: string) => boolean
}
