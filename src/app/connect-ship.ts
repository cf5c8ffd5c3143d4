/** Connects the ship floor, which plans and builds through the floors below it. */
import { join } from 'node:path'
import { countTokens } from '../kernel/ask/count-tokens.ts'
import { whyNotRunning } from '../kernel/run-tree.ts'
import { isAbandoned } from '../kernel/runs/is-abandoned.ts'
import type { HostedWork } from '../room/hosted-work.ts'
import { comparisonWorkflow } from '../ship/compare/compare.ts'
import { Comparisons } from '../ship/compare/comparisons.ts'
import type { ShipDeps } from '../ship/deps.ts'
import { featureWorkflow } from '../ship/feature/feature-run.ts'
import { Features } from '../ship/feature/features.ts'
import type { FeatureViews } from '../ship/feature-views.ts'
import { GitHistories } from '../ship/git-history.ts'
import { buildHooks } from '../ship/issue/build-hooks.ts'
import { issueWorkflow } from '../ship/issue/issue-run.ts'
import { shipWorkflow } from '../ship/ship/ship.ts'
import { Ships } from '../ship/ship/ships.ts'
import type { ConnectedBuilds } from './connect-builds.ts'
import type { ConnectedForge } from './connect-forge.ts'
import type { ConnectedPlans } from './connect-plans.ts'
import type { FloorParts } from './floor-parts.ts'

interface ShipParts {
  builds: ConnectedBuilds
  plans: ConnectedPlans
  forge: ConnectedForge
  views: FeatureViews
  rooms: HostedWork
}

export function connectShip(parts: FloorParts, { builds, plans, forge, views, rooms }: ShipParts) {
  const { project, stateFolder, engine, agents, askDeps, questions, activity, source } = parts
  const { roles, coordination, ship, build, plan, sample } = project.config
  const deps: ShipDeps = {
    ...askDeps,
    coordinator: () => agents.get(roles.coordinator ?? agents.members()[0]!),
    source: plan.tools === 'off' ? null : source,
    workspace: builds.deps.workspace,
    build: builds.workflow,
    activity,
    settings: { coordination, ship, build },
    stateFolder,
    countTokens,
    whyNotRunning: (run) => whyNotRunning(engine, run),
    isAbandoned: (run) => isAbandoned(engine, questions, run),
    views,
    histories: new GitHistories(join(stateFolder, 'cache')),
    ...forge.forShip,
  }
  builds.deps.issueObserver = buildHooks(deps)
  const issues = issueWorkflow(deps)
  const loop = featureWorkflow(deps, issues)
  engine.register(issues)
  engine.register(loop)
  const features = new Features({ engine, questions, deps, workflow: loop })
  const workflow = shipWorkflow(deps, { plan: plans.workflow, run: loop, features, rooms })
  engine.register(workflow)
  const onlyGoal = agents.describe().every(({ rehearsal }) => rehearsal) ? sample?.goal : undefined
  const ships = new Ships({
    engine,
    questions,
    deps,
    plans: plans.plans,
    rooms,
    features,
    workflow,
    ...(onlyGoal === undefined ? {} : { onlyGoal }),
  })
  const comparing = comparisonWorkflow(deps, plans.workflow)
  engine.register(comparing)
  const comparisons = new Comparisons({ engine, questions, deps, plans: plans.plans, workflow: comparing })
  return { features, ships, comparisons }
}
