/** Syntax facts of a node's own code without tests; an approval is refused for stubs and unsafe imports in it. VF5. */
import { isWithin } from '../../rules/build/path-confinement.ts'
import type { SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import { type Node, testsOf } from '../node.ts'
import { factsAt, inProject } from '../workspace.ts'

export interface OwnCodeFacts {
  before: SyntaxFacts[]
  /** Only symbols and lines that are new. */
  after: SyntaxFacts[]
}

/** `changes` are those from the node's base to `at`. */
export async function ownCodeFacts(node: Node, changes: readonly TreeChange[], at: string): Promise<OwnCodeFacts> {
  const { workspace } = node
  const tests = testsOf(node)
  const files = changes
    .flatMap(({ path, status }) => (status === 'deleted' ? [] : (inProject(workspace, path) ?? [])))
    .filter((path) => !looksLikeTest(path) && !tests.some((test) => isWithin(path, test)))
  const [before, after] = await Promise.all([factsAt(workspace, node.state.base, files), factsAt(workspace, at, files)])
  return { before, after: after.map((facts) => onlyOurs(facts, before)) }
}

/** Leaves out what a shared file held before this node, such as siblings' stubs. */
function onlyOurs(facts: SyntaxFacts, before: readonly SyntaxFacts[]): SyntaxFacts {
  const old = before.find(({ file }) => file === facts.file)
  if (!old) return facts
  const was = new Set(old.symbols.map(({ name, bodyHash }) => `${name} ${bodyHash}`))
  const symbols = facts.symbols.filter(({ name, bodyHash }) => !was.has(`${name} ${bodyHash}`))
  const lines = facts.lines?.filter((line) => !old.lines?.includes(line))
  return { ...facts, symbols, ...(lines ? { lines } : {}) }
}
