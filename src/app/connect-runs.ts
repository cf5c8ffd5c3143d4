/** Connects what looks at runs across floors: the list, overviews, replays and origins. */
import type { Engine } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import { isWithin } from '../kernel/run-events.ts'
import type { Origin, SeesOrigin } from '../runs/origin.ts'
import type { RunOverview } from '../runs/overview.ts'
import { RunOverviews } from '../runs/overview-cache.ts'
import type { Replayed } from '../runs/replay.ts'
import { Runs } from '../runs/runs.ts'
import type { Comparisons } from '../ship/compare/comparisons.ts'
import type { Features } from '../ship/feature/features.ts'
import type { Ships } from '../ship/ship/ships.ts'
import type { Repository } from '../workspace/git/repository.ts'
import type { ConnectedBuilds } from './connect-builds.ts'
import type { ConnectedPlans } from './connect-plans.ts'
import type { FloorParts } from './floor-parts.ts'

export interface ConnectedRuns {
  readonly runs: Runs
  /** Traces a line, a commit or an event back to where it came from. */
  origin(what: string, sees?: SeesOrigin): Promise<Origin>
  /** Repeats every decision of a run. */
  replay(run: string): Promise<Replayed>
  /** The overview of a run and the runs below it, up to the last event. */
  overview(run: string): Promise<RunOverview>
}

interface Floors {
  builds: ConnectedBuilds
  plans: ConnectedPlans
  features: Features
  ships: Ships
  comparisons: Comparisons
}

export function connectRuns(
  { project, store, engine, questions, activity }: FloorParts,
  { builds, plans, features, ships, comparisons }: Floors,
): ConnectedRuns {
  const overviews = new RunOverviews(store)
  let repository: Promise<Repository> | undefined
  const openRepository = () => {
    repository ??= import('../workspace/git/repository.ts').then(({ Repository }) => Repository.open(project.folder))
    repository.catch(() => {
      repository = undefined
    })
    return repository
  }
  return {
    runs: new Runs(
      engine,
      [builds.builds, plans.plans, features, ships, comparisons],
      () => overviews.lines(),
      async () => {
        const waitingRuns = (await questions.open()).map(({ run }) => run)
        return (run) => waitingRuns.some((one) => isWithin(one, run)) && activity.isIdle(run)
      },
      async (top) => {
        builds.deps.queues.forget(top)
        await features.interruptIssues(top)
      },
    ),
    async origin(what, sees) {
      const { findOrigin } = await import('../runs/origin.ts')
      return findOrigin(openRepository, store, what, sees)
    },
    async replay(run) {
      await requireRun(engine, run)
      return (await import('../runs/replay.ts')).replayRun(store, run, project.config.build.caps)
    },
    async overview(run) {
      await requireRun(engine, run)
      return overviews.of(run)
    },
  }
}

async function requireRun(engine: Engine, run: string): Promise<void> {
  if (await engine.get(run)) return
  throw new ConveneError('unknown_run', `there is no run '${run}'. \`convene runs\` lists them.`, {
    status: 404,
    path: 'run',
  })
}
