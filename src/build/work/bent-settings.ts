/** Runs a claim again with the settings that the project had when the node began: a different outcome refuses it. TR7. */
import type { StepContext } from '../../kernel/engine.ts'
import {
  looseningAmong,
  neededSettings,
  type SettingsChange,
  settingsMatter,
  settingsRefused,
} from '../../rules/trust/checker-settings.ts'
import type { Node } from '../node.ts'
import { type ToVerify, verify } from '../verify.ts'
import { inProject } from '../workspace.ts'
import { decidedSettings } from './approve-settings.ts'
import type { CheckResult } from './ask-until-verified.ts'
import { asTheyWere, changedCheckerSettings, changedSettings } from './changed-settings.ts'

/**
 * Null if no settings changed, or the claim holds without the change. In the graph the implementer has been kept from the
 * runner's settings already. What scaffold or test author changed, and what a compiler needs, is a question to a person.
 */
export async function bentSettings(
  node: Node,
  step: StepContext,
  { tree, ...claim }: ToVerify & { tree: string },
  { isAlone }: { isAlone: boolean },
): Promise<CheckResult<never> | null> {
  const { workspace, deps, state } = node
  const { repository } = workspace
  const from = state.base
  const changes = await repository.changes(from, tree)
  const runner = isAlone ? await changedSettings(node, from, tree, changes) : []
  const checker = await changedCheckerSettings(node, from, tree, changes)
  const isOpen = ({ path }: SettingsChange) => !state.allowed.includes(inProject(workspace, path) ?? path)
  const all = [...runner, ...checker.filter(({ path }) => !runner.some((one) => one.path === path))].filter(isOpen)
  if (all.length === 0) return null
  const restored = (some: readonly SettingsChange[]) =>
    some.map((change) => asTheyWere(change, from, { runner: isAlone, checker: true }))
  const without = async (some: readonly SettingsChange[]) => {
    const commit = await repository.commit({
      tree: await repository.treeWith(tree, restored(some)),
      parents: [from],
      message: 'the work with the settings of its base\n',
      at: deps.clock.now(),
    })
    return verify(node, step, { ...claim, commit, purpose: 'settings' })
  }
  const plain = await without(all)
  if (plain.verdict.verdict === 'passed') return null
  const earlier = isAlone ? [] : await changedBefore(node, all)
  const linesOf = (change: SettingsChange) =>
    neededSettings(change) ?? (earlier.includes(change) ? [`${change.path}: changed before the implementation`] : null)
  const forbidden = all.filter((change) => linesOf(change) === null)
  const open = all.filter((change) => linesOf(change) !== null)
  const first = open.length === 0 ? plain : forbidden.length === 0 ? null : await without(forbidden)
  if (first && first.verdict.verdict !== 'passed') {
    const problem = { rule: 'TR7', message: `${settingsMatter(forbidden.map(pathOf))}:\n${first.output}` }
    const mayAllow = forbidden.map(({ path }) => inProject(workspace, path) ?? path)
    return { problems: [problem], putBack: { paths: [], from, changes: restored(forbidden), mayAllow } }
  }
  const lines = open.flatMap((change) => linesOf(change)!)
  const decided = await decidedSettings(node)
  if (deps.settings.sensitive === 'allow' || lines.every((line) => decided.allowed.has(line))) return null
  const putBack = { paths: [], from, changes: restored(open) }
  const isRefused = deps.settings.sensitive === 'refuse' || lines.some((line) => decided.refused.has(line))
  if (isRefused) return { problems: [{ rule: 'TR7', message: settingsRefused(lines) }], putBack }
  const problem = { rule: 'TR7', message: `${settingsMatter(open.map(pathOf))}:\n${plain.output}` }
  return { problems: [problem], putBack, inQuestion: lines.filter((line) => !decided.allowed.has(line)) }
}

/** Those that stood like this when the implementer began, and loosen nothing. */
async function changedBefore(
  { workspace: { repository }, state }: Node,
  all: readonly SettingsChange[],
): Promise<SettingsChange[]> {
  const texts = await repository.readFiles(state.head, all.map(pathOf))
  const isLoosened = (change: SettingsChange) => looseningAmong([change]).length > 0
  return all.filter((change) => texts.get(change.path)?.toString('utf8') === change.after && !isLoosened(change))
}

function pathOf({ path }: SettingsChange): string {
  return path
}
