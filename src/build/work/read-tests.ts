/** What a reviewer is shown of the tests, and asked about criteria that speak of all values. VF3, VF13. */
import type { Exit } from '../../rules/build/exits.ts'
import { type SymbolFacts, symbolsByName } from '../../rules/build/syntax-facts.ts'
import {
  contradicted,
  counterexamples,
  criteriaOfAll,
  testedInputs,
  tracingProblems,
} from '../../rules/review/all-values.ts'
import { type UntestedExample, untestedExamples } from '../../rules/review/untested-examples.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { Node } from '../node.ts'
import { oldTestsAt } from '../tests/old-tests.ts'
import { factsAt, inRepository } from '../workspace.ts'
import { isExit } from './ask-until-verified.ts'

export interface ReadTests {
  /** Criteria that speak of all values. */
  criteria: { id: string; text: string }[]
  /** How the tests call the code, if there are such criteria. */
  inputs: string[]
  /** Titles of tests that were there before and read otherwise now. */
  changed: string[]
  /** Examples of the criteria that no test holds. */
  examples: UntestedExample[]
}

export function readTests(node: Node, commit: string): Promise<ReadTests> {
  const { run, workspace, state, input } = node
  return run.step('read tests', async () => {
    const paths = state.testFiles.map((path) => inRepository(workspace, path))
    const [was, is] = await Promise.all([state.base, commit].map((at) => workspace.repository.readFiles(at, paths)))
    const { changed } = await oldTestsAt(node, commit, state.testFiles)
    const ids = state.testedCriteria()
    const [before, texts] = [was, is].map((files) => [...files!.values()].map((text) => text.toString('utf8')))
    const tested = state.spec.acceptanceCriteria.filter(({ id }) => ids.includes(id) && !state.kept().includes(id))
    const examples = untestedExamples(tested, texts!)
    const criteria = criteriaOfAll(state.spec.acceptanceCriteria, { own: ids, keep: state.kept() })
    if (criteria.length === 0) return { criteria: [], inputs: [], changed, examples }
    const [young, old] = await Promise.all(
      [commit, state.base].map(async (at) => symbolsByName((await factsAt(workspace, at, [input.spec.targetPath]))[0])),
    )
    const isChanged = ({ name, bodyHash, signature }: SymbolFacts) =>
      old!.get(name)?.bodyHash !== bodyHash || old!.get(name)?.signature !== signature
    const own = [...young!.values()].filter((symbol) => symbol.exported && isChanged(symbol))
    const exported = own.map(({ name }) => name)
    const functions = exported
      .map((name) => name.slice(name.lastIndexOf('.') + 1))
      .filter((name) => /^[\w$]+$/.test(name))
    const inputs = testedInputs(texts!, functions, before)
    return { criteria: criteria.map(({ id, text }) => ({ id, text })), inputs, changed, examples }
  })
}

/** What the prompt says of them; nothing if there are none. */
export function shownAllValues({ criteria, inputs }: ReadTests): Record<string, unknown> {
  return criteria.length === 0 ? {} : { general: criteria.map(({ id }) => id), inputs }
}

/** Why an approval says too little about them. */
export function untraced(exit: Exit, { criteria, inputs }: ReadTests): Problem[] {
  if (!isExit(exit, 'Approved')) return []
  const { untested, exhausted } = exit.payload
  const ids = (exhausted ?? []).map(({ criterionId }) => criterionId)
  return tracingProblems(criteria, untested ?? [], inputs, ids)
}

/** An approval that names a counterexample sends the work back; null if it names none. */
export function contradiction(
  exit: Exit<'Approved'>,
  { criteria }: ReadTests,
  target: string,
): Exit<'MoreTests'> | null {
  const found = counterexamples(exit.payload.untested ?? [])
  return found.length === 0 ? null : contradicted(found, criteria, target)
}
