/** What the runs of the ship floor need from outside. */
import type { BuildInput, BuildResult } from '../build/graph/run.ts'
import type { ProjectWorkspace } from '../build/workspace.ts'
import type { Forge } from '../forge/forge.ts'
import type { Behind } from '../forge/outbox.ts'
import type { Agent } from '../kernel/agent.ts'
import type { Config } from '../kernel/config/load.ts'
import type { Workflow } from '../kernel/engine.ts'
import type { AskDeps } from '../kernel/runs/ask-in-run.ts'
import type { RunActivity } from '../kernel/runs/run-activity.ts'
import type { FeatureViews } from './feature-views.ts'
import type { GitHistories } from './git-history.ts'

export interface ShipDeps extends AskDeps {
  coordinator(): Agent
  workspace(): Promise<ProjectWorkspace>
  build: Workflow<BuildInput, BuildResult>
  activity: RunActivity
  views: FeatureViews
  histories: GitHistories
  settings: Pick<Config, 'coordination' | 'ship' | 'build'>
  /** `.convene/`. */
  stateFolder: string
  countTokens(text: string): number
  /** Why a run stands still that was parked, or has failed; null for one that is under way, and where nothing is known. */
  whyNotRunning(run: string): Promise<string | null>
  /** Whether a process that is gone left the run unfinished, and no person is asked about it. */
  isAbandoned(run: string): Promise<boolean>
  /** Where issues are kept on a forge as well: waits a moment until it has heard. */
  flushForge?(timeoutMs?: number): Promise<void>
  /** What of a feature the forge has not heard yet; null where it is up to date. */
  pendingOnForge?(feature: string): Promise<Behind | null>
  /** The forge itself, where there is one. */
  forge?(): Promise<Forge>
  /** Why the forge that the configuration names is told nothing. */
  forgeOff?: string
  /** Which repository there, as `owner/name`. */
  repo?: string
  /** The variable that holds the forge's token: nobody else gets it. */
  tokenName?: string
}
