/** Checks what an agent touched against what its part allows. SPEC.md § VF3, VF6. */
import { interfaceChanges } from './interface-changes.ts'
import { confinePath, isWithin } from './path-confinement.ts'
import type { Problem } from './problem.ts'
import type { SyntaxFacts } from './syntax-facts.ts'

/** `solo` writes interface, tests and code in one go. */
export type Author = 'scaffold' | 'tdd' | 'impl' | 'merger' | 'rebaser' | 'solo'

export interface Touched {
  by: Author
  /** Every path that the diff names, both sides of a move included. */
  paths: readonly string[]
  /** Test files and folders, the contract suite among them. */
  tests: readonly string[]
  /** Facts of this node's interface and those above it, before and after. */
  interfaces: { before: readonly SyntaxFacts[]; after: readonly SyntaxFacts[] }
  /** The files the node is to write, which may hold its interface too. */
  targets: readonly string[]
}

export function touchProblems(touched: Touched): { problems: Problem[]; unchecked: string[] } {
  const outside = touched.paths.flatMap((path) => {
    const confinement = confinePath(path)
    return confinement.inside ? [] : [{ rule: 'VF6', message: `the path ${confinement.why}`, path }]
  })
  const { changes, unchecked } = mayShapeInterface(touched.by)
    ? { changes: [], unchecked: [] }
    : interfaceChanges(touched.interfaces.before, touched.interfaces.after, touched.targets)
  const shaped = changes.map(({ file, message }) => ({ rule: 'VF3', message, path: file }))
  return { problems: [...outside, ...touchedTests(touched), ...shaped], unchecked }
}

/** Those whose work the tests judge. */
const bound = new Map<Author, string>([
  ['impl', 'implementers'],
  ['merger', 'mergers'],
])

function touchedTests({ by, paths, tests }: Touched): Problem[] {
  const who = bound.get(by)
  if (!who) return []
  const touched = paths.filter((path) => tests.some((test) => isWithin(path, test)))
  return touched.map((path) => ({ rule: 'VF3', message: `${path} is a test, and ${who} may not touch tests`, path }))
}

/** A rebase takes over what siblings did to the interfaces above; that its own edits are mechanical is checked by RB2. */
function mayShapeInterface(by: Author): boolean {
  return by === 'scaffold' || by === 'solo' || by === 'rebaser'
}
