/** What became of the tests that were there before. VF3. */
import { changedTests, type TestText, weakenedTests } from '../../rules/evidence/changed-tests.ts'
import type { Node } from '../node.ts'
import { inRepository } from '../workspace.ts'

export interface OldTests {
  /** Titles of those that read otherwise now. */
  changed: string[]
  /** Those of them that say less than before. */
  weakened: { path: string; title: string }[]
}

export async function oldTestsAt(node: Node, commit: string, files: readonly string[]): Promise<OldTests> {
  const { workspace, state } = node
  const paths = files.map((file) => inRepository(workspace, file))
  const [old, young] = await Promise.all([state.base, commit].map((at) => workspace.repository.readFiles(at, paths)))
  const texts = (of: typeof old, file: string): TestText[] =>
    workspace.syntax.testTexts(file, of?.get(inRepository(workspace, file)) ?? '')
  return {
    changed: files.flatMap((file) => changedTests(texts(old, file), texts(young, file))),
    weakened: files.flatMap((path) =>
      weakenedTests(texts(old, path), texts(young, path)).map((title) => ({ path, title })),
    ),
  }
}
