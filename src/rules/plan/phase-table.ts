/** The phases of a plan: their order, the modes they run in, what they write and what they read. SPEC.md § PH. */
import { z } from 'zod'
import type { Mode } from './mode.ts'

export const phaseIds = ['1', '2', '3', '4', '5', '6', '6b', '7', '8', '8b', '9'] as const

export type PhaseId = (typeof phaseIds)[number]

/** Accepts 4 and "4", and "6b". */
export const phaseIdSchema = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.enum(phaseIds),
)

export interface Phase {
  readonly id: PhaseId
  readonly name: string
  readonly modes: readonly Mode[]
  /** The main artefact. A phase whose summary is lost is rebuilt from it (PH5). */
  readonly artefact: string
  readonly alsoWrites: readonly string[]
  /** The summaries and artefacts it reads besides the accumulated context. */
  readonly reads: { readonly summaries: readonly PhaseId[]; readonly artefacts: readonly string[] }
  /** Who scores the rubric, for the two phases that have one (PH4). */
  readonly panel: readonly string[]
}

const everyMode: readonly Mode[] = ['rapid', 'standard', 'advanced', 'complete']
const fromStandard: readonly Mode[] = ['standard', 'advanced', 'complete']
const fromAdvanced: readonly Mode[] = ['advanced', 'complete']

export const phases: readonly Phase[] = [
  phase('1', 'setup', everyMode, 'spec.md'),
  phase('2', 'research', everyMode, 'research.md', { summaries: ['1'], artefacts: ['spec.md'] }),
  {
    ...phase('3', 'clarification', everyMode, 'clarification.md', { summaries: ['2'], artefacts: ['spec.md'] }),
    alsoWrites: ['spec.md'],
  },
  {
    ...phase('4', 'architecture', everyMode, 'design.md', {
      summaries: ['2', '3'],
      artefacts: ['spec.md', 'research.md'],
    }),
    alsoWrites: ['plan.md'],
  },
  phase('5', 'deep thinking', fromAdvanced, 'deep-thinking.md', { summaries: ['4'], artefacts: ['design.md'] }),
  {
    ...phase('6', 'validation', fromStandard, 'validation.md', {
      summaries: ['4', '5'],
      artefacts: ['research.md', 'design.md'],
    }),
    panel: ['judge-neutral', 'judge-advocate', 'judge-sceptic'],
  },
  phase('6b', 'expert review', fromStandard, 'review.md', {
    summaries: ['6'],
    artefacts: ['research.md', 'design.md'],
  }),
  phase('7', 'test strategy', everyMode, 'test-plan.md', {
    summaries: ['4', '6b'],
    artefacts: ['research.md', 'design.md'],
  }),
  {
    ...phase('8', 'coverage', fromStandard, 'coverage.md', {
      summaries: ['7'],
      artefacts: ['spec.md', 'test-plan.md'],
    }),
    panel: ['judge-requirements', 'judge-edge-cases', 'judge-sceptic'],
  },
  phase('8b', 'assets', fromAdvanced, 'assets.md', { summaries: ['7'], artefacts: ['test-plan.md'] }),
  {
    ...phase('9', 'completion', everyMode, 'tasks.md', {
      summaries: ['3', '5', '6', '8', '8b'],
      artefacts: ['spec.md', 'research.md', 'design.md', 'review.md', 'test-plan.md'],
    }),
    alsoWrites: ['issues.json'],
  },
]

/** Phases whose agents read the source: what they write must rest on the code as it is (RD14). */
export const readingPhases: ReadonlySet<PhaseId> = new Set(['2', '4', '6b', '7'])

/** Phases that may run at once because neither reads the other. Not 5 and 6b: 6b reads 6, which reads 5. */
export const parallelPairs: readonly (readonly [PhaseId, PhaseId])[] = [['8', '8b']]

/** The phase that a RED rubric sends the plan back to (PH4). */
export const redTargets: ReadonlyMap<PhaseId, PhaseId> = new Map([
  ['6', '4'],
  ['8', '7'],
])

export function phaseById(id: PhaseId): Phase {
  return phases[phaseIds.indexOf(id)]!
}

/** The artefacts that only this phase writes. `spec.md` belongs to phase 1, `plan.md` to phase 4; phases 3 and 9 write answers into the first, phase 9 renews the second. */
export function ownFiles(id: PhaseId): string[] {
  const { artefact, alsoWrites } = phaseById(id)
  return [artefact, ...alsoWrites.filter((file) => !phases.some((other) => other.artefact === file))]
}

function phase(
  id: PhaseId,
  name: string,
  modes: readonly Mode[],
  artefact: string,
  reads: Phase['reads'] = { summaries: [], artefacts: [] },
): Phase {
  return { id, name, modes, artefact, alsoWrites: [], reads, panel: [] }
}
