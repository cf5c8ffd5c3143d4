/** What every floor is connected with. */
import type { ConnectedAgents } from '../agents/configured.ts'
import type { Prompts } from '../agents/prompts/prompts.ts'
import type { LoadedConfig } from '../kernel/config/load.ts'
import type { Engine } from '../kernel/engine.ts'
import type { AskDeps } from '../kernel/runs/ask-in-run.ts'
import type { Questions } from '../kernel/runs/questions.ts'
import type { RunActivity } from '../kernel/runs/run-activity.ts'
import type { Store } from '../kernel/store.ts'
import type { Users } from '../kernel/users/users.ts'
import type { ConnectedSource } from './connect-source.ts'

export interface FloorParts {
  project: LoadedConfig
  env: NodeJS.ProcessEnv
  /** `.convene/`. */
  stateFolder: string
  store: Store
  engine: Engine
  agents: ConnectedAgents
  prompts: Prompts
  /** What agents read of the project. */
  source: ConnectedSource
  askDeps: AskDeps
  questions: Questions
  users: Users
  activity: RunActivity
  /** Throws if others have taken over this process's runs: asked before an effect that they share. */
  mayAct(): Promise<void>
}
