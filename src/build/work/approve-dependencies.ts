/** Asks a person before anything new that an agent wants is installed or run. SPEC.md § TR3. */
import { askPerson } from '../../kernel/runs/questions.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import {
  asksAboutDependencies,
  type DependencyChanges,
  dependenciesRefused,
  dependencyQuestion,
  unaskedChanges,
} from '../../rules/trust/dependency-changes.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { changedManifests } from '../trust/changed-manifests.ts'
import type { PutBack } from './keep-files.ts'

/** What a person has allowed in this node. The answers are in the log, so a replay fills it again. */
const allowed = new WeakMap<Node, Set<string>>()

/**
 * Null if the files that an agent left may be set up; otherwise why not, and the manifests to put back. `from` is the commit
 * that the agent started from. What that commit has, or the branch that the node was rebased onto, was asked about there.
 */
export async function refusedDependencies(
  node: Node,
  { tree, from }: { tree: string; from: string },
): Promise<{ problems: Problem[]; putBack: PutBack } | null> {
  const { workspace, input, deps, run } = node
  const stands = [...new Set([input.base, node.state.base, from])]
  const changes = await Promise.all(stands.map((stand) => changedManifests(workspace.repository, stand, tree)))
  const [changed, ...others] = changes
  if (!changed || others.includes(null)) return null
  const known = allowed.get(node) ?? new Set<string>()
  allowed.set(node, known)
  const unknown = unaskedChanges(changed, others as DependencyChanges[], known)
  if (!asksAboutDependencies(unknown)) return null
  // Recorded: the settings may be others when the run is resumed.
  const policy = await run.step('policy on dependencies', () => deps.settings.dependencies)
  if (policy === 'allow') return null
  if (policy === 'ask') {
    const { text, detail } = dependencyQuestion(unknown)
    const context = { ...subjectOf(node), rule: 'TR3', dependencies: unknown.dependencies, detail }
    const answer = await deps.activity.whileWaiting(run.runId, () =>
      askPerson(run, eventHeader(node), {
        text: `${input.spec.id}: ${text}`,
        choices: ['allow', 'refuse'],
        only_choices: true,
        context,
      }),
    )
    if (answer.choice === 'allow') {
      for (const line of [...unknown.dependencies, ...unknown.settings]) known.add(line)
      return null
    }
  }
  const problem = { rule: 'TR3', message: dependenciesRefused(unknown) }
  return { problems: [problem], putBack: { paths: changed.paths, from: node.state.base } }
}
