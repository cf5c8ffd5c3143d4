/** Reads which settings of test runners, linters and type checkers differ between two states of the work. TR7. */
import {
  checkerManifestParts,
  checkerSettingsAmong,
  mayBeCheckerSetting,
  type SettingsChange,
} from '../../rules/trust/checker-settings.ts'
import { withPartsOf } from '../../rules/trust/manifest-parts.ts'
import { isNamedInSpec, mayBeSetting, runnerManifestParts, settingsChanged } from '../../rules/trust/test-settings.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import type { FileChange } from '../../workspace/git/tree-with.ts'
import type { Node } from '../node.ts'
import { inProject, type ProjectWorkspace } from '../workspace.ts'

/** Changed settings of runners and package managers that the spec does not name, from the top of the repository. */
export async function changedSettings(
  node: Node,
  from: string,
  tree: string,
  changes: readonly TreeChange[],
): Promise<SettingsChange[]> {
  const own = (path: string) => inProject(node.workspace, path) ?? path
  const candidates = unnamed(node, changes).filter((path) => mayBeSetting(own(path)))
  const texts = await textsOf(node.workspace, from, tree, candidates)
  const changed = settingsChanged(texts.map((one) => ({ ...one, path: own(one.path) })))
  return texts.filter(({ path }) => changed.includes(own(path)))
}

/** Changed settings of linters and type checkers that the spec does not name. */
export async function changedCheckerSettings(
  node: Node,
  from: string,
  tree: string,
  changes: readonly TreeChange[],
): Promise<SettingsChange[]> {
  return checkerSettingsAmong(
    await textsOf(node.workspace, from, tree, unnamed(node, changes).filter(mayBeCheckerSetting)),
  )
}

/** How to put settings back: of a manifest only their part, so that the rest of the work stays. */
export function asTheyWere(
  { path, before, after }: SettingsChange,
  from: string,
  kinds: { runner: boolean; checker: boolean },
): FileChange {
  if (before === undefined || after === undefined) return { path, from }
  const parts = [...(kinds.checker ? [checkerManifestParts] : []), ...(kinds.runner ? [runnerManifestParts] : [])]
  const content = parts.reduce<string | null>(
    (text, wanted) => withPartsOf(path, before, text ?? after, wanted) ?? text,
    null,
  )
  return content === null ? { path, from } : { path, content }
}

function unnamed({ workspace, input }: Node, changes: readonly TreeChange[]): string[] {
  const paths = changes.map(({ path }) => path)
  return paths.filter((path) => !isNamedInSpec(inProject(workspace, path) ?? path, input.spec))
}

/** The texts of files before and after. */
export async function textsOf(
  { repository }: ProjectWorkspace,
  from: string,
  tree: string,
  paths: string[],
): Promise<SettingsChange[]> {
  if (paths.length === 0) return []
  const [before, after] = await Promise.all([from, tree].map((at) => repository.readFiles(at, paths)))
  const textIn = (texts: Map<string, Buffer> | undefined, path: string) => texts?.get(path)?.toString('utf8')
  return paths.map((path) => ({ path, before: textIn(before, path), after: textIn(after, path) }))
}
