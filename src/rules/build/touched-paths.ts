/** Checks what an agent touched against what its part allows. SPEC.md § VF3, VF6. */

import type { Problem } from '../schema/problem.ts'
import { interfaceChanges } from './interface-changes.ts'
import { confinePath, isWithin } from './path-confinement.ts'
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
  /** Contract suites, and the tests of those above: no test author's to change. */
  contracts?: readonly string[]
  /** Touched files that hold code and no tests. */
  sources?: readonly string[]
  /** Touched files by which the test command runs something else than before. */
  commands?: readonly string[]
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
  return {
    problems: [...outside, ...touchedTests(touched), ...beyondTests(touched), ...bentCommands(touched), ...shaped],
    unchecked,
  }
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

/** A test author writes tests and what helps them: the code is not its own, nor what others agreed on. */
function beyondTests({ by, paths, contracts = [], sources = [] }: Touched): Problem[] {
  if (by !== 'tdd') return []
  const agreed = paths.filter((path) => contracts.some((contract) => isWithin(path, contract)))
  const agreedMessage = 'a contract, which a test author may not change'
  const sourceMessage = 'no test, and test authors may only write tests'
  return [
    ...agreed.map((path) => ({ rule: 'VF3', message: `${path} is ${agreedMessage}`, path })),
    ...sources.map((path) => ({ rule: 'VF3', message: `${path} is ${sourceMessage}`, path })),
  ]
}

/** Who bends what runs the tests need not pass them. */
function bentCommands({ by, targets, commands = [] }: Touched): Problem[] {
  if (by === 'scaffold' || by === 'rebaser') return []
  const bent = commands.filter((path) => !targets.some((target) => isWithin(path, target)))
  const message = 'the test command runs by it, and may not be changed along with what it tests'
  return bent.map((path) => ({ rule: 'VF3', message: `${path}: ${message}`, path }))
}

/** A rebase takes over what siblings did to the interfaces above; that its own edits are mechanical is checked by RB2. */
function mayShapeInterface(by: Author): boolean {
  return by === 'scaffold' || by === 'solo' || by === 'rebaser'
}
