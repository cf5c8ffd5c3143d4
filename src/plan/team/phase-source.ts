/** What the agents of a phase read of the project, and which files they read. RD14. */
import type { Agent, AgentMessage, AgentSource, AskKind } from '../../kernel/agent.ts'
import type { ProjectSource } from '../../kernel/project-source.ts'
import { readingPhases } from '../../rules/plan/phase-table.ts'
import type { Phase, Plan } from '../plan.ts'

/**
 * Null for phases that do not read, for asks that compare statements, for scripts, and without a repository; the facts say
 * that there is none.
 */
export async function phaseSource(
  { plan: { deps }, id }: Phase,
  agent: Agent,
  kind: AskKind,
  onFile: (path: string) => void,
): Promise<AgentSource | null> {
  if (!readingPhases.has(id) || kind === 'align' || agent.rehearsal || deps.settings.tools === 'off') return null
  const state = await deps.source.latest()
  if (!state.ok) return null
  for (const path of state.source.inlined) onFile(path)
  return {
    reader: state.source,
    maxSteps: deps.source.maxSteps,
    checkout: () => deps.source.checkout(state.source.commit),
    onTool: ({ file }) => {
      if (file !== undefined) onFile(file)
    },
  }
}

/** The map comes before everything else: it stays the same over all phases while HEAD does not move (CX4). */
export function mapMessages({ deps }: Plan, source: ProjectSource | null): AgentMessage[] {
  return source ? [{ role: 'system', content: deps.prompts.render('project', { map: source.map }) }] : []
}

/** For the artefact: what the work rests on, as Convene saw it read. Empty for phases that could not read. */
export function filesReadLine({ filesRead, id }: Phase): string {
  if (!readingPhases.has(id) || filesRead.size === 0) return ''
  return `_Source read: ${[...filesRead].sort().join(', ')}._`
}
