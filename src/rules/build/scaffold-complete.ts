/** Checks a scaffold: everything it declares exists, and every criterion is planned or given to a child. SPEC.md § VF1. */

import type { Problem } from '../schema/problem.ts'
import type { ExitPayload } from './exits.ts'
import { interfaceChanges } from './interface-changes.ts'
import { isWithin } from './path-confinement.ts'
import { reviewedCriteria, strangeReviews, untestedBehaviour } from './reviewed-criteria.ts'
import type { Spec } from './spec.ts'
import type { SyntaxFacts } from './syntax-facts.ts'
import { defaultTreeLimits, keptCriteria, treeProblems } from './tree.ts'

export interface ScaffoldFacts {
  spec: Spec
  /** Ids from the root to this node. */
  path: readonly string[]
  reply: ExitPayload<'InitWork'>
  /** The paths from the reply that exist in the scaffold's tree. */
  existing: readonly string[]
  /** Facts of the interface files in the reply. */
  interfaces: readonly SyntaxFacts[]
  /** Files that the scaffold changed in what they do. */
  changed: readonly string[]
  /** The parent's interface files, before and after the scaffold. */
  parentInterface?: { before: readonly SyntaxFacts[]; after: readonly SyntaxFacts[] }
}

export function scaffoldProblems(facts: ScaffoldFacts, limits = defaultTreeLimits): Problem[] {
  const { spec, path, reply } = facts
  const children = reply.childSpecs ?? []
  return [
    ...missingFiles(facts),
    ...missingSuite(facts),
    ...missingExports(facts),
    ...planProblems(facts),
    ...treeProblems({ path, criteria: spec.acceptanceCriteria, children }, limits),
    ...parentInterfaceProblems(facts),
  ]
}

function missingFiles({ reply, existing }: ScaffoldFacts): Problem[] {
  const suite = reply.contractSuite ? [reply.contractSuite] : []
  const declared = [reply.interfaceFile, ...suite, ...(reply.interfaces ?? []).map(({ path }) => path)]
  const missing = [...new Set(declared)].filter((path) => !existing.includes(path))
  return missing.map((path) => problem(`${path} is declared but does not exist`, path))
}

/** A leaf needs none; for criteria given to children, only the contract suite shows that they are met together. */
function missingSuite({ reply }: ScaffoldFacts): Problem[] {
  if (reply.contractSuite || !reply.childSpecs?.length) return []
  return [problem('a scaffold with parts needs a contract suite', 'contractSuite')]
}

/** An interface that cannot be parsed passes, because its exports are unknown. */
function missingExports({ reply, interfaces }: ScaffoldFacts): Problem[] {
  return (reply.interfaces ?? []).flatMap(({ path, exports }) => {
    const facts = interfaces.find((one) => one.file === path)
    if (!facts?.parsed) return []
    const exported = new Set(facts.symbols.filter((symbol) => symbol.exported).map(({ name }) => name))
    // Importers choose the name of a default export; Python imports a public name that `__all__` does not list.
    const isPublic = (name: string) =>
      facts.language === 'python' && !name.startsWith('_') && facts.symbols.some((symbol) => symbol.name === name)
    const isThere = (name: string) => exported.has(name) || isPublic(name) || (name === 'default' && exported.size > 0)
    const missing = exported.has('default') ? [] : exports.filter((name) => !isThere(name))
    return missing.map((name) => problem(`${path} does not export ${name}, which it declares`, path))
  })
}

/** The node plans tests for the criteria it keeps, except what the reviewer checks; contract tests cover those given to children. */
function planProblems({ spec, reply, changed }: ScaffoldFacts): Problem[] {
  const known = new Set(spec.acceptanceCriteria.map(({ id }) => id))
  const planned = new Set(reply.testPlan.map(({ criterionId }) => criterionId))
  const kept = keptCriteria(spec.acceptanceCriteria, reply.childSpecs ?? [])
  const reviewed = reviewedCriteria(kept, reply.review ?? []).map(({ id }) => id)
  const uncovered = kept.filter(({ id }) => !planned.has(id) && !reviewed.includes(id))
  const isTested = kept.some(({ id }) => planned.has(id))
  // What it begins for a part, the part tests.
  const targets = (reply.childSpecs ?? []).map(({ targetPath }) => targetPath)
  const own = changed.filter((path) => !targets.some((target) => isWithin(path, target)))
  const unknown = [...planned].filter((id) => !known.has(id))
  const strange = (reply.keep ?? []).filter(({ criterionId }) => !known.has(criterionId))
  return [
    ...uncovered.map(({ id }) => problem(`criterion ${id} has no planned test`, 'testPlan')),
    ...unknown.map((id) => problem(`a test is planned for ${id}, which is not a criterion of this spec`, 'testPlan')),
    ...strange.map(({ criterionId }) =>
      problem(`${criterionId} is to be kept, but is not a criterion of this spec`, 'keep'),
    ),
    ...strangeReviews(spec.acceptanceCriteria, reply.review ?? []),
    ...(isTested || uncovered.length > 0 ? [] : untestedBehaviour(reviewed, own)),
  ]
}

function parentInterfaceProblems({ parentInterface }: ScaffoldFacts): Problem[] {
  if (!parentInterface) return []
  const { changes } = interfaceChanges(parentInterface.before, parentInterface.after)
  return changes.map(({ file, message }) => problem(`the parent's interface was changed: ${message}`, file))
}

function problem(message: string, path: string): Problem {
  return { rule: 'VF1', message, path }
}
