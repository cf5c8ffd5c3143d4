/** Checks the files that an agent changed against what its role allows. SPEC.md § VF3, VF6. */

import type { Problem } from '../schema/problem.ts'
import { interfaceChanges } from './interface-changes.ts'
import { confinePath, isWithin } from './path-confinement.ts'
import type { SyntaxFacts } from './syntax-facts.ts'
import { looksLikeTest } from './test-paths.ts'

/** `solo` writes interface, tests and code in one go. */
export type Author = 'scaffold' | 'tdd' | 'impl' | 'merger' | 'rebaser' | 'solo'

export interface Touched {
  by: Author
  /** Every path in the diff, including both sides of a rename. */
  paths: readonly string[]
  /** Test files and folders of the work, including the contract suite. */
  tests: readonly string[]
  /** Facts of the interfaces of this node and its ancestors, before and after. */
  interfaces: { before: readonly SyntaxFacts[]; after: readonly SyntaxFacts[] }
  /** The files that the node writes, which may include its interface. */
  targets: readonly string[]
  /** Files of the node's own interface that a review wants changed: signatures may change there, and exports be added. */
  reviewed?: readonly string[]
  /** Contract suites and tests of ancestors, which a test author may not change. */
  contracts?: readonly string[]
  /** Changed files with code but no tests. */
  sources?: readonly string[]
  /** Exports that tests need and that the interface does not have yet. */
  promised?: readonly { file: string; name: string }[]
  /** The words of the node's tests and contract suite: what they name may be exported. */
  named?: ReadonlySet<string>
  /** Changed files that change what the test command runs. */
  commands?: readonly string[]
  /** Paths that a person allowed this node to edit. */
  allowed?: readonly string[]
  /** Changed private files, which nobody may allow. */
  privates?: readonly string[]
}

export interface TouchVerdict {
  problems: Problem[]
  unchecked: string[]
  /** Paths that this role may not touch at all. A changed interface is not among them: its author can repair it. */
  forbidden: string[]
  /** Those of them that a person may allow. */
  mayAllow: string[]
}

export function touchProblems(touched: Touched): TouchVerdict {
  const outside = touched.paths.flatMap((path) => {
    const confinement = confinePath(path)
    return confinement.inside ? [] : [{ rule: 'VF6', message: `the path ${confinement.why}`, path }]
  })
  const { changes, unchecked } = mayShapeInterface(touched.by)
    ? { changes: [], unchecked: [] }
    : interfaceChanges(touched.interfaces.before, touched.interfaces.after, touched.targets, {
        promised: touched.promised ?? [],
        named: touched.named ?? new Set(),
      })
  const unasked = changes.filter(({ file, isLoss }) => isLoss || !touched.reviewed?.includes(file))
  const shaped = unasked.map(({ file, message }) => ({ rule: 'VF3', message, path: file }))
  const all = [...touchedTests(touched), ...beyondTests(touched), ...bentCommands(touched)]
  const isOpen = ({ path }: Problem) => path !== undefined && isForPerson(touched, path)
  const others = all.filter((problem) => !(isOpen(problem) && touched.allowed?.includes(problem.path!)))
  return {
    problems: [...outside, ...others, ...shaped],
    unchecked,
    forbidden: pathsOf(others),
    mayAllow: pathsOf(others.filter(isOpen)),
  }
}

/** The answer by which a person lets a node edit these paths. */
export function allowChoice(paths: readonly string[]): string {
  return `allow ${paths.length > mostNamed ? `these ${paths.length} files` : paths.join(', ')}`
}

const mostNamed = 3

/** Contracts hold for others too, and private files are not part of the work: nobody may allow those. */
function isForPerson({ contracts = [], privates = [] }: Touched, path: string): boolean {
  const isContract = contracts.some((contract) => isWithin(path, contract))
  return !isContract && confinePath(path).inside && !privates.includes(path)
}

function pathsOf(problems: readonly Problem[]): string[] {
  return [...new Set(problems.flatMap(({ path }) => path ?? []))]
}

/** The roles whose work the tests judge. */
const bound = new Map<Author, string>([
  ['impl', 'implementers'],
  ['merger', 'mergers'],
])

/** A file that looks like a test may be the one to be written. */
function touchedTests({ by, paths, tests, targets }: Touched): Problem[] {
  const who = bound.get(by)
  if (!who) return []
  const touched = paths.filter(
    (path) => tests.some((test) => isWithin(path, test)) || (looksLikeTest(path) && !targets.includes(path)),
  )
  return touched.map((path) => ({ rule: 'VF3', message: `a test, which ${who} may not touch`, path }))
}

/** A test author writes tests and their helpers, but neither code nor contracts. */
function beyondTests({ by, paths, contracts = [], sources = [] }: Touched): Problem[] {
  if (by !== 'tdd') return []
  const agreed = paths.filter((path) => contracts.some((contract) => isWithin(path, contract)))
  const agreedMessage = 'a contract, which a test author may not change'
  const sourceMessage = 'not a test, and test authors may only write tests'
  return [
    ...agreed.map((path) => ({ rule: 'VF3', message: agreedMessage, path })),
    ...sources.map((path) => ({ rule: 'VF3', message: sourceMessage, path })),
  ]
}

/** Agents may not edit what the test command runs. */
function bentCommands({ by, targets, commands = [] }: Touched): Problem[] {
  if (by === 'scaffold' || by === 'rebaser') return []
  const bent = commands.filter((path) => !targets.some((target) => isWithin(path, target)))
  const message = 'the test command depends on it, so agents may not edit it'
  return bent.map((path) => ({ rule: 'VF3', message, path }))
}

/** A rebase takes over the siblings' changes to interfaces; RB2 checks that its own edits are mechanical. */
function mayShapeInterface(by: Author): boolean {
  return by === 'scaffold' || by === 'solo' || by === 'rebaser'
}
