/** Merges two commits; where both added lines in one place, and the file can still be read, both stay. GR2, RB1. */
import { isUtf8 } from 'node:buffer'
import type { SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import { bothSides } from '../../rules/merge/both-sides.ts'
import type { Node } from '../node.ts'
import { factsAt, inProject, inRepository } from '../workspace.ts'

interface Merged {
  /** With git's conflict markers in the files that are left. */
  tree: string
  /** The files, relative to the repository, in which the sides have no place beside each other. */
  clashes: string[]
}

export async function mergeKeepingBoth(node: Node, ours: string, theirs: string): Promise<Merged> {
  const { repository } = node.workspace
  const { tree, conflicts } = await repository.merge(ours, theirs)
  if (conflicts.length === 0) return { tree, clashes: [] }
  const marked = await repository.merge(ours, theirs, { ancestor: true })
  const texts = [...(await repository.readFiles(marked.tree, conflicts))]
    .filter(([, text]) => isUtf8(text))
    .map(([path, text]) => ({ path, ...bothSides(text.toString('utf8')) }))
    .filter(({ overlaps }) => !overlaps)
    .map(({ path, text }) => ({ path, content: text }))
  const joined = await repository.treeWith(tree, texts)
  const paths = texts.map(({ path }) => path)
  const broken = await unreadable(node, joined, ours, paths)
  const settled = texts.filter(({ path }) => !broken.includes(path))
  return {
    tree: broken.length === 0 ? joined : await repository.treeWith(tree, settled),
    clashes: conflicts.filter((path) => !settled.some((one) => one.path === path)),
  }
}

/** Files that could be read as code before, and cannot be any more. */
async function unreadable({ workspace }: Node, after: string, before: string, paths: string[]): Promise<string[]> {
  const files = paths.flatMap((path) => inProject(workspace, path) ?? [])
  const [is, was] = await Promise.all([after, before].map((at) => factsAt(workspace, at, files)))
  const isRead = (facts: readonly SyntaxFacts[], file: string) => facts.some((one) => one.file === file && one.parsed)
  return files.filter((file) => isRead(was!, file) && !isRead(is!, file)).map((file) => inRepository(workspace, file))
}
