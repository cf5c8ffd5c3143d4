/** Runs a claim again with the settings that the project had: a different outcome refuses it. TR7. */
import type { StepContext } from '../../kernel/engine.ts'
import { settingsMatter } from '../../rules/trust/test-settings.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import type { Node } from '../node.ts'
import { type ToVerify, verify } from '../verify.ts'
import type { CheckResult } from './ask-until-verified.ts'
import { changedSettings } from './inspect-trust.ts'

/** Null if no settings changed, or the claim holds without the change. */
export async function bentSettings(
  node: Node,
  step: StepContext,
  { tree, ...claim }: ToVerify & { tree: string },
  changes: readonly TreeChange[],
): Promise<CheckResult<never> | null> {
  const { workspace, deps, state } = node
  const paths = await changedSettings(node, state.base, tree, changes)
  if (paths.length === 0) return null
  const { repository } = workspace
  const before = await repository.treeWith(
    tree,
    paths.map((path) => ({ path, from: state.base })),
  )
  const commit = await repository.commit({
    tree: before,
    parents: [state.base],
    message: 'the work with the settings of its base\n',
    at: deps.clock.now(),
  })
  const { verdict, output } = await verify(node, step, { ...claim, commit, purpose: 'settings' })
  if (verdict.verdict === 'passed') return null
  const problem = { rule: 'TR7', message: `${settingsMatter(paths)}:\n${output}` }
  return { problems: [problem], putBack: { paths, from: state.base } }
}
