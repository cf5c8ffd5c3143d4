/** Checks what an agent left for what would disarm its own verification, or does not belong to the work (TR7, TR11). */
import type { Author } from '../../rules/build/touched-paths.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { alwaysEqual, testLibraryProblems } from '../../rules/trust/test-library.ts'
import {
  checkerSettingsAmong,
  isJudged,
  isNamedInSpec,
  mayBeSetting,
  settingsChanged,
} from '../../rules/trust/test-settings.ts'
import { installedFolder, strayInstalls } from '../../rules/trust/work-size.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import type { Node } from '../node.ts'
import { inProject, type ProjectWorkspace } from '../workspace.ts'

export interface TrustInspection {
  problems: Problem[]
  /** To put back, from the top of the repository. */
  paths: string[]
}

export async function inspectTrust(
  node: Node,
  by: Author,
  {
    from,
    tree,
    changes,
    isTest,
  }: { from: string; tree: string; changes: readonly TreeChange[]; isTest(path: string): boolean },
): Promise<TrustInspection> {
  const { workspace } = node
  const installed = await installedFiles(workspace, from, changes)
  const settings = isJudged(by) ? await changedSettings(node, from, tree, changes) : []
  const bent = await bentLibraries(workspace, from, tree, changes, isTest)
  return {
    problems: [
      ...installed.problems,
      ...settings.map((path) => ({
        rule: 'TR7',
        message: 'it decides how tests run, so it belongs to the tests; do without changing it',
        path,
      })),
      ...bent,
    ],
    paths: [...installed.paths, ...settings],
  }
}

/** Changed settings of runners and package managers that the spec does not name, from the top of the repository. */
export async function changedSettings(
  node: Node,
  from: string,
  tree: string,
  changes: readonly TreeChange[],
): Promise<string[]> {
  const paths = unnamed(node, changes).flatMap(({ path }) => (mayBeSetting(path) ? [path] : []))
  return settingsChanged(await textsOf(node.workspace, from, tree, paths))
}

/** Changed settings of linters and type checkers that the spec does not name. */
export function changedCheckerSettings(node: Node, changes: readonly TreeChange[]): string[] {
  return checkerSettingsAmong(unnamed(node, changes))
}

function unnamed({ workspace, input }: Node, changes: readonly TreeChange[]): TreeChange[] {
  return changes.filter(({ path }) => !isNamedInSpec(inProject(workspace, path) ?? path, input.spec))
}

/** Only what this work brings is its fault: a helper of the project may have bent a library before. */
async function bentLibraries(
  workspace: ProjectWorkspace,
  from: string,
  tree: string,
  changes: readonly TreeChange[],
  isTest: (path: string) => boolean,
): Promise<Problem[]> {
  const paths = changes.filter(({ status, path }) => status !== 'deleted' && mayBend.test(path)).map(({ path }) => path)
  const texts = await textsOf(workspace, from, tree, paths)
  return texts.flatMap(({ path, before = '', after = '' }) => {
    const found = (text: string) => [
      ...alwaysEqual(path, text),
      ...(isTest(inProject(workspace, path) ?? path) ? [] : testLibraryProblems(path, text)),
    ]
    const known = found(before)
    const fresh = found(after).filter((message) => !known.includes(message))
    return fresh.map((message) => ({ rule: 'TR7', message, path }))
  })
}

const mayBend = /\.(?:[cm]?[jt]sx?|py)$/

async function textsOf({ repository }: ProjectWorkspace, from: string, tree: string, paths: string[]) {
  if (paths.length === 0) return []
  const [before, after] = await Promise.all([from, tree].map((at) => repository.readFiles(at, paths)))
  const textIn = (texts: Map<string, Buffer> | undefined, path: string) => texts?.get(path)?.toString('utf8')
  return paths.map((path) => ({ path, before: textIn(before, path), after: textIn(after, path) }))
}

/** TR11: what a package manager fetched is never part of the work, unless the project has that folder already. */
async function installedFiles({ repository }: ProjectWorkspace, from: string, changes: readonly TreeChange[]) {
  const added = changes.flatMap(({ path, status }) => (status === 'added' ? [path] : []))
  const folders = [...new Set(added.flatMap((path) => installedFolder(path) ?? []))]
  if (folders.length === 0) return { problems: [], paths: [] }
  const known = new Set<string>()
  for (const folder of folders) if ((await repository.listFiles(from, [folder])).length > 0) known.add(folder)
  const stray = strayInstalls(added, (folder) => known.has(folder))
  const problems: Problem[] = [...stray].map(([path, files]) => ({
    rule: 'TR11',
    message: `${path} holds installed packages (${files.length} files), which are never part of the work`,
    path,
  }))
  return { problems, paths: [...stray.values()].flat() }
}
