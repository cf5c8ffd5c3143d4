/** Asks a person before anything new that an agent wants is installed or run. SPEC.md § TR3. */
import { askPerson } from '../../kernel/runs/questions.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import {
  asksAboutDependencies,
  type DependencyChanges,
  dependenciesRefused,
  dependencyQuestion,
} from '../../rules/trust/dependency-changes.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { changedManifests } from '../trust/changed-manifests.ts'
import type { PutBack } from './keep-files.ts'

/** What a person has allowed in this node. The answers are in the log, so a replay fills it again. */
const allowed = new WeakMap<Node, Set<string>>()

/** Null if the files that an agent left may be set up; otherwise why not, and the manifests to put back. */
export async function refusedDependencies(
  node: Node,
  tree: string,
): Promise<{ problems: Problem[]; putBack: PutBack } | null> {
  const { workspace, input, deps, run } = node
  const changed = await changedManifests(workspace.repository, input.base, tree)
  if (!changed) return null
  const known = allowed.get(node) ?? new Set<string>()
  allowed.set(node, known)
  const isNew = (line: string) => !known.has(line)
  const unknown: DependencyChanges = {
    dependencies: changed.dependencies.filter(isNew),
    settings: changed.settings.filter(isNew),
    scripts: changed.scripts,
  }
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
  return { problems: [problem], putBack: { paths: changed.paths, from: input.base } }
}
