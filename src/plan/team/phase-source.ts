/** What the agents of a phase read of the project, and which files they read. RD14. */
import type { Agent, AgentMessage, AgentSource, AskKind } from '../../kernel/agent.ts'
import type { ProjectSource } from '../../kernel/project-source.ts'
import { declarationPattern, namedSection } from '../../rules/context/named-symbols.ts'
import { readingPhases } from '../../rules/plan/phase-table.ts'
import { namesInGoal } from '../../rules/plan/size/names.ts'
import type { Phase, Plan } from '../plan.ts'

/**
 * Null for phases that do not read, for asks that compare statements, for scripts, and without a repository; the facts say
 * that there is none.
 */
export async function phaseSource(
  { plan: { deps, input }, id }: Phase,
  agent: Agent,
  kind: AskKind,
  onFile: (path: string) => void,
): Promise<AgentSource | null> {
  if (!readingPhases.has(id) || kind === 'align' || agent.rehearsal || deps.settings.tools === 'off') return null
  const state = await deps.source.latest()
  if (!state.ok) return null
  for (const path of state.source.inlined) onFile(path)
  const named = await namedIn(state.source, input.goal)
  return {
    reader: named === '' ? state.source : { ...state.source, map: `${state.source.map}\n\n${named}` },
    maxSteps: deps.source.maxSteps,
    checkout: () => deps.source.checkout(state.source.commit),
    onTool: ({ file }) => {
      if (file !== undefined) onFile(file)
    },
  }
}

/** Of each commit and goal; searched once. */
const found = new WeakMap<ProjectSource, Map<string, Promise<string>>>()

/** Where the code is that the goal names, unless the map has its whole text. */
function namedIn(source: ProjectSource, goal: string): Promise<string> {
  const known = found.get(source) ?? new Map<string, Promise<string>>()
  found.set(source, known)
  const pattern = declarationPattern(namesInGoal(goal))
  if (pattern === null) return Promise.resolve('')
  const section =
    known.get(goal) ??
    source
      .search({ pattern, folder: '', ending: '', ignoreCase: false, limit: 40 }, AbortSignal.timeout(longestSearch))
      .then(
        ({ matches }) => namedSection(matches.filter(({ path }) => !source.inlined.includes(path))),
        // A search that fails takes nothing from the prompt but this section.
        () => '',
      )
  known.set(goal, section)
  return section
}

const longestSearch = 10_000

/** The map comes before everything else: it stays the same over all phases while HEAD does not move (CX4). */
export function mapMessages({ deps }: Plan, source: ProjectSource | null): AgentMessage[] {
  return source ? [{ role: 'system', content: deps.prompts.render('project', { map: source.map }) }] : []
}

/** For the artefact: what the work rests on, as Convene saw it read. Empty for phases that could not read. */
export function filesReadLine({ filesRead, id }: Phase): string {
  if (!readingPhases.has(id) || filesRead.size === 0) return ''
  return `_Source read: ${[...filesRead].sort().join(', ')}._`
}
