/** Files that the node and its parts have yet to write: tests may be red because these are missing. VF2. */
import { isWithin } from '../../rules/build/path-confinement.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import type { RedTests } from '../../rules/evidence/tests-red.ts'
import { interfacesOf, type Node } from '../node.ts'
import { factsAt } from '../workspace.ts'

/** `commit` is where the tests ran. */
export async function unwrittenFiles(
  node: Node,
  commit: string,
  ran: readonly TestFacts[],
): Promise<Required<Pick<RedTests, 'toBeWritten' | 'there' | 'fixed' | 'stubs'>>> {
  const { workspace, input } = node
  const { scaffold } = node.state
  const targets = [input.spec.targetPath, ...(scaffold?.childSpecs ?? []).map(({ targetPath }) => targetPath)]
  const missing = ran.flatMap((test) => test.missing ?? [])
  const wanted = missing.filter((path) => targets.some((target) => isWithin(path, target)))
  return {
    toBeWritten: targets,
    there: await factsAt(workspace, commit, wanted),
    fixed: input.parent?.interfaces ?? [],
    stubs: interfacesOf(node),
  }
}
