/** What a reviewer is shown, and asked, about criteria that speak of all values. VF13. */
import type { Exit } from '../../rules/build/exits.ts'
import {
  contradicted,
  counterexamples,
  criteriaOfAll,
  testedInputs,
  tracingProblems,
} from '../../rules/evidence/all-values.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { Node } from '../node.ts'
import { factsAt, inRepository } from '../workspace.ts'
import { isExit } from './ask-until-verified.ts'

export interface AllValues {
  criteria: { id: string; text: string }[]
  /** How the tests call the code. */
  inputs: string[]
}

export function allValuesOf(node: Node, commit: string): Promise<AllValues> {
  const { run, workspace, state, input } = node
  return run.step('read what tests use', async () => {
    const own = state.testedCriteria()
    const criteria = criteriaOfAll(state.spec.acceptanceCriteria, { own, keep: state.kept() })
    if (criteria.length === 0) return { criteria: [], inputs: [] }
    const [facts] = await factsAt(workspace, commit, [input.spec.targetPath])
    const exported = (facts?.symbols ?? []).filter((symbol) => symbol.exported).map(({ name }) => name)
    const paths = state.testFiles.map((path) => inRepository(workspace, path))
    const [before, texts] = await Promise.all(
      [state.base, commit].map(async (at) =>
        [...(await workspace.repository.readFiles(at, paths)).values()].map((text) => text.toString('utf8')),
      ),
    )
    const functions = exported
      .map((name) => name.slice(name.lastIndexOf('.') + 1))
      .filter((name) => /^[\w$]+$/.test(name))
    return { criteria: criteria.map(({ id, text }) => ({ id, text })), inputs: testedInputs(texts!, functions, before) }
  })
}

/** What the prompt says of them; nothing if there are none. */
export function shownAllValues({ criteria, inputs }: AllValues): Record<string, unknown> {
  return criteria.length === 0 ? {} : { general: criteria.map(({ id }) => id), inputs }
}

/** Why an approval says too little about them. */
export function untraced(exit: Exit, { criteria, inputs }: AllValues): Problem[] {
  if (!isExit(exit, 'Approved')) return []
  const { untested, exhausted } = exit.payload
  const ids = (exhausted ?? []).map(({ criterionId }) => criterionId)
  return tracingProblems(criteria, untested ?? [], inputs, ids)
}

/** An approval that names a counterexample sends the work back; null if it names none. */
export function contradiction(
  exit: Exit<'Approved'>,
  { criteria }: AllValues,
  target: string,
): Exit<'MoreTests'> | null {
  const found = counterexamples(exit.payload.untested ?? [])
  return found.length === 0 ? null : contradicted(found, criteria, target)
}
