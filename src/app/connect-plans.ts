/** Connects the plan floor: who plans, at what price, and the workflows. */
import { join } from 'node:path'
import { countTokens } from '../kernel/ask/count-tokens.ts'
import type { Config } from '../kernel/config/load.ts'
import type { PlanDeps } from '../plan/deps.ts'
import { phaseWorkflow } from '../plan/pipeline/phase-workflow.ts'
import { Plans } from '../plan/pipeline/plans.ts'
import { planWorkflow } from '../plan/pipeline/run.ts'
import type { TokenPrice } from '../rules/plan/estimate.ts'
import type { FloorParts } from './floor-parts.ts'

export type ConnectedPlans = ReturnType<typeof connectPlans>

export function connectPlans({
  project,
  env,
  stateFolder,
  store,
  engine,
  agents,
  prompts,
  source,
  askDeps,
  questions,
  activity,
}: FloorParts) {
  const { roles, plan, build } = project.config
  const commands = { setup: build.setup, build: build.build, test: build.test }
  const panel = roles.panel.length > 0 ? roles.panel : agents.members()
  const staff = {
    coordinator: roles.coordinator ?? agents.members()[0]!,
    panel,
    reviewers: roles.reviewers.length > 0 ? roles.reviewers : panel,
  }
  const deps: PlanDeps = {
    ...askDeps,
    prompts,
    source,
    agent: (name) => (agents.names().includes(name) ? agents.get(name) : null),
    staff: () => staff,
    price: priceOf(project.config, [staff.coordinator, ...staff.panel, ...staff.reviewers]),
    settings: plan,
    budget: project.config.budget,
    folder: join(stateFolder, 'plans'),
    facts: async () => (await import('../plan/project-facts.ts')).gatherFacts(project.folder, env, commands),
    sources: async () => (await import('../plan/project-facts.ts')).sourceFiles(project.folder, env, commands),
    known: async (names) => (await import('../plan/project-facts.ts')).knownNames(project.folder, names),
    isFeatureTaken: async (feature) =>
      (await import('../plan/feature-taken.ts')).isFeatureTaken(feature, project.folder, store),
    journal: engine,
    activity,
    countTokens,
  }
  const phases = phaseWorkflow(deps)
  const workflow = planWorkflow(deps, phases)
  engine.register(phases)
  engine.register(workflow)
  return { plans: new Plans({ store, engine, questions, deps, workflow }), workflow }
}

/** The mean price of the participating agents; unknown if one of them is. Rehearsal is free. */
function priceOf({ agents }: Config, names: readonly string[]): TokenPrice | undefined {
  const known = [...new Set(names)]
    .map((name) => agents[name])
    .map((agent) => {
      if (!agent || agent.provider === 'rehearsal') return { input: 0, output: 0 }
      return agent.price
    })
  if (known.some((price) => price === undefined)) return undefined
  const mean = (side: 'input' | 'output') => known.reduce((sum, price) => sum + price![side], 0) / known.length / 1e6
  return { input: mean('input'), output: mean('output') }
}
