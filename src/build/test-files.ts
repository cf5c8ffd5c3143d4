/** Which of the files that an agent wrote are tests. They count wherever the author put them. VF2. */
import { isWithin } from '../rules/build/path-confinement.ts'
import { isTestFileName, isTypeTest, looksLikeTest } from '../rules/build/test-paths.ts'
import type { WrittenFile } from '../rules/evidence/type-tests.ts'
import type { Node } from './node.ts'
import { inRepository, type ProjectWorkspace } from './workspace.ts'

/** `paths` are relative to the project. Data and helpers of tests are left out. */
export async function testFilesAmong(node: Node, tree: string, paths: readonly string[]): Promise<string[]> {
  const { workspace, input } = node
  const { testPath } = input.spec
  const candidates = forTestsAmong(node, paths)
  const texts = await workspace.repository.readFiles(
    tree,
    candidates.map((path) => inRepository(workspace, path)),
  )
  const written = candidates.filter((path) => texts.has(inRepository(workspace, path)))
  const isTest = (path: string) =>
    path === testPath ||
    isTestFileName(path) ||
    workspace.syntax.testTitles(path, texts.get(inRepository(workspace, path))!).length > 0
  const found = written.filter(isTest)
  return found.length > 0 ? found : written
}

/** Tests with their data and helpers. */
export function forTestsAmong({ input }: Node, paths: readonly string[]): string[] {
  return paths.filter((path) => isWithin(path, input.spec.testPath) || looksLikeTest(path))
}

/** With what they were on the commit that the work starts from. */
export async function typeTestsAt(
  workspace: ProjectWorkspace,
  { commit, base }: { commit: string; base?: string | undefined },
  files: readonly string[],
): Promise<WrittenFile[]> {
  const paths = files.filter(isTypeTest)
  if (paths.length === 0) return []
  const inTree = paths.map((path) => inRepository(workspace, path))
  const readAt = (at: string) => workspace.repository.readFiles(at, inTree)
  const [texts, before] = await Promise.all([readAt(commit), base === undefined ? undefined : readAt(base)])
  return paths.flatMap((path, index) => {
    const [text, was] = [texts, before].map((files) => files?.get(inTree[index]!)?.toString('utf8'))
    return text === undefined ? [] : [{ path, text, ...(was === undefined ? {} : { before: was }) }]
  })
}
