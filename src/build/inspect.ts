/** Looks at what an agent left in its folder: which files changed, and whether any of it leads out (VF3, VF6). */
import { posix } from 'node:path'
import { confineLink } from '../rules/path-confinement.ts'
import type { Problem } from '../rules/problem.ts'
import { type Author, touchProblems } from '../rules/touched-paths.ts'
import type { TreeChange } from '../workspace/repository.ts'
import { interfacesOf, type Node, testsOf } from './node.ts'
import { factsAt, inProject, type Workshop } from './workshop.ts'

export interface Inspection {
  problems: Problem[]
  changes: TreeChange[]
  /** Changed files, relative to the project. */
  paths: string[]
}

/** `from` is the commit the agent found, `tree` what it left. */
export async function inspect(node: Node, by: Author, from: string, tree: string): Promise<Inspection> {
  const { shop, input } = node
  const changes = await shop.repository.changes(from, tree)
  const outside = changes.flatMap(({ path }) => (inProject(shop, path) === null ? [leavesProject(path)] : []))
  const paths = changes.flatMap(({ path }) => inProject(shop, path) ?? [])
  const interfaces = interfacesOf(node)
  const touchesInterface = interfaces.some((file) => paths.includes(file))
  const { problems } = touchProblems({
    by,
    paths,
    tests: [...testsOf(node), ...paths.filter(looksLikeTest)],
    interfaces: touchesInterface
      ? { before: await factsAt(shop, from, interfaces), after: await factsAt(shop, tree, interfaces) }
      : { before: [], after: [] },
    targets: [input.spec.targetPath],
  })
  return { problems: [...outside, ...(await linkProblems(shop, tree, changes)), ...problems], changes, paths }
}

/** A link out of the tree would let a test read, or a later edit write, what is not its own. */
async function linkProblems(shop: Workshop, tree: string, changes: TreeChange[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { path, mode, oldMode } of changes) {
    if (mode === '160000' && oldMode !== '160000')
      problems.push({ rule: 'VF6', message: 'a repository inside the repository', path })
    if (mode !== '120000') continue
    const target = await shop.repository.linkTarget(tree, path)
    const confinement = confineLink(path, target)
    if (confinement.inside) continue
    problems.push({ rule: 'VF6', message: `a link out of the worktree: its target ${target} ${confinement.why}`, path })
  }
  return problems
}

function leavesProject(path: string): Problem {
  return { rule: 'VF6', message: 'the file lies outside the project', path }
}

/** How the common runners find tests: nobody may bend those that were there before to make their work pass. */
export function looksLikeTest(path: string): boolean {
  const name = posix.basename(path)
  return (
    /(^|\/)(tests?|__tests__|spec)\//.test(path) ||
    /[._-](test|spec)\.[^.]+$/.test(name) ||
    /^test_.*\.py$/.test(name) ||
    /^conftest\.py$/.test(name)
  )
}
