/** Runs a claim again with the settings that the project had: a different outcome refuses it. TR7. */
import type { StepContext } from '../../kernel/engine.ts'
import { settingsMatter } from '../../rules/trust/test-settings.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import type { Node } from '../node.ts'
import { type ToVerify, verify } from '../verify.ts'
import type { CheckResult } from './ask-until-verified.ts'
import { changedCheckerSettings, changedSettings } from './inspect-trust.ts'

/**
 * Null if no settings changed, or the claim holds without the change. An implementer's `from` is the commit it started from:
 * it has been kept from the runner's settings already, but not from those of linters and type checkers.
 */
export async function bentSettings(
  node: Node,
  step: StepContext,
  { tree, from, ...claim }: ToVerify & { tree: string; from: string },
  changes: readonly TreeChange[],
): Promise<CheckResult<never> | null> {
  const { workspace, deps } = node
  const paths = [
    ...new Set([...(await changedSettings(node, from, tree, changes)), ...changedCheckerSettings(node, changes)]),
  ]
  if (paths.length === 0) return null
  const { repository } = workspace
  const before = await repository.treeWith(
    tree,
    paths.map((path) => ({ path, from })),
  )
  const commit = await repository.commit({
    tree: before,
    parents: [from],
    message: 'the work with the settings of its base\n',
    at: deps.clock.now(),
  })
  const { verdict, output } = await verify(node, step, { ...claim, commit, purpose: 'settings' })
  if (verdict.verdict === 'passed') return null
  const problem = { rule: 'TR7', message: `${settingsMatter(paths)}:\n${output}` }
  return { problems: [problem], putBack: { paths, from } }
}
