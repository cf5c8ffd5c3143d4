/** Test files of a commit: their names look like it, and their text has tests. VF2, VF9. */
import { comparableTests, packageOf, type UnfoundTests } from '../rules/evidence/unfound-tests.ts'
import { titlesInSource } from '../workspace/test-results/titles-in-source.ts'
import { inProject, inRepository, type ProjectWorkspace } from './workspace.ts'

/** Those beside `near`, or all; undefined if there is none. */
export async function existingTests(
  workspace: ProjectWorkspace,
  commit: string,
  near?: readonly string[],
): Promise<UnfoundTests | undefined> {
  const listed = (await workspace.repository.listFiles(commit)).flatMap((path) => inProject(workspace, path) ?? [])
  const candidates = comparableTests(listed, near).slice(0, mostRead)
  const texts = await workspace.repository.readFiles(
    commit,
    candidates.map((path) => inRepository(workspace, path)),
  )
  const files = candidates.filter((path) => {
    const text = texts.get(inRepository(workspace, path)) ?? ''
    return workspace.syntax.testTitles(path, text).length > 0 || titlesInSource(text.toString('utf8'), path).length > 0
  })
  return files.length === 0 ? undefined : { files, folder: packageOf(files[0]!, new Set(listed)) }
}

const mostRead = 200
