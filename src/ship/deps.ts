/** Dependencies of the ship floor's runs. */
import type { BuildInput, BuildResult } from '../build/graph/run.ts'
import type { ProjectWorkspace } from '../build/workspace.ts'
import type { Forge } from '../forge/forge.ts'
import type { Behind } from '../forge/outbox.ts'
import type { Agent } from '../kernel/agent.ts'
import type { Config } from '../kernel/config/load.ts'
import type { Workflow } from '../kernel/engine.ts'
import type { SourceState } from '../kernel/project-source.ts'
import type { AskDeps } from '../kernel/runs/ask-in-run.ts'
import type { RunActivity } from '../kernel/runs/run-activity.ts'
import type { FeatureViews } from './feature-views.ts'
import type { GitHistories } from './git-history.ts'

export interface ShipDeps extends AskDeps {
  coordinator(): Agent
  /** The last commit of the project. Null if `plan.tools` is off. */
  source: { latest(): Promise<SourceState>; maxSteps: number } | null
  workspace(): Promise<ProjectWorkspace>
  build: Workflow<BuildInput, BuildResult>
  activity: RunActivity
  views: FeatureViews
  histories: GitHistories
  settings: Pick<Config, 'coordination' | 'ship' | 'build'>
  /** `.convene/`. */
  stateFolder: string
  countTokens(text: string): number
  /** Why a run, or the run at the top of its tree, is parked or failed; null when it is running or unknown. */
  whyNotRunning(run: string): Promise<string | null>
  /** Whether a process that is gone left the run unfinished and no question of it is open. */
  isAbandoned(run: string): Promise<boolean>
  /** Waits up to `timeoutMs` until the forge has every change. Absent without a forge. */
  flushForge?(timeoutMs?: number): Promise<void>
  /** Changes of a feature that the forge does not have yet; null when it is up to date. */
  pendingOnForge?(feature: string): Promise<Behind | null>
  /** The forge, if one is configured. */
  forge?(): Promise<Forge>
  /** Why the configured forge is not used. */
  forgeOff?: string
  /** The repository on the forge, as `owner/name`. */
  repo?: string
  /** The environment variable with the forge's token; no other process gets it. */
  tokenName?: string
}
