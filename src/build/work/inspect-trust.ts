/** Checks what an agent left for what would disarm its own verification, or does not belong to the work (TR7, TR11). */
import type { Author } from '../../rules/build/touched-paths.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { looseningAmong } from '../../rules/trust/checker-settings.ts'
import { alwaysEqual, namesReport, testLibraryProblems } from '../../rules/trust/test-library.ts'
import { isJudged } from '../../rules/trust/test-settings.ts'
import { installedFolder, strayInstalls } from '../../rules/trust/work-size.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import type { Node } from '../node.ts'
import { inProject, type ProjectWorkspace } from '../workspace.ts'
import { changedCheckerSettings, changedSettings, textsOf } from './changed-settings.ts'

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
  const settings = (isJudged(by) ? await changedSettings(node, from, tree, changes) : []).map(({ path }) => path)
  const weakened = await weakenedChecks(node, by, { from, tree, changes })
  const bent = await bentLibraries(workspace, from, tree, changes, isTest)
  return {
    problems: [
      ...installed.problems,
      ...settings.map((path) => ({
        rule: 'TR7',
        message: `${path} decides how tests run, so it belongs to the tests\nDo without changing it.`,
        path,
      })),
      ...weakened.map((path) => ({
        rule: 'TR7',
        message: `${path} decides how strictly the code is checked\nDo without changing it.`,
        path,
      })),
      ...bent,
    ],
    paths: [...installed.paths, ...settings, ...weakened],
  }
}

/**
 * Settings of checkers that this author may not change at all: a merger any, scaffold and test author those that loosen a
 * compiler. An implementer's are judged with its claim.
 */
async function weakenedChecks(
  node: Node,
  by: Author,
  { from, tree, changes }: { from: string; tree: string; changes: readonly TreeChange[] },
): Promise<string[]> {
  if (by !== 'merger' && by !== 'scaffold' && by !== 'tdd') return []
  const changed = await changedCheckerSettings(node, from, tree, changes)
  return (by === 'merger' ? changed : looseningAmong(changed)).map(({ path }) => path)
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
      ...namesReport(path, text),
      ...(isTest(inProject(workspace, path) ?? path) ? [] : testLibraryProblems(path, text)),
    ]
    const known = found(before)
    const fresh = found(after).filter((message) => !known.includes(message))
    return fresh.map((message) => ({ rule: 'TR7', message, path }))
  })
}

const mayBend = /\.(?:[cm]?[jt]sx?|py|sh|bash|rb|php|go|rs|java|kts?|c|cc|cpp|cs)$/

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
