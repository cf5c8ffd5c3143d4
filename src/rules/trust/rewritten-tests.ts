/** Tests run as they are committed: the code that they judge may not rewrite them while they run. SPEC.md § TR7. */
import { looksLikeTest } from '../build/test-paths.ts'
import { isRunnerSetting } from './sensitive-paths.ts'

/** Data that tests read and write, such as snapshots, decides nothing by itself. */
const isCode = /\.(?:[cm]?[jt]sx?|py|rb|php|go|rs|java|kts?|scala|cs|c|cc|cpp|sh|bash|ex|exs|dart|swift)$/i

/** Of the committed files that differ after a test command, those that decide what is tested and how. */
export function rewrittenTests(changed: readonly string[]): string[] {
  return changed.filter(decidesTests)
}

/** Whether a file decides what is tested and how. */
export function decidesTests(path: string): boolean {
  return isRunnerSetting(path) || (looksLikeTest(path) && isCode.test(path))
}

/** Where to look for rewritten files: everything below `whole`, and what is directly in `flat`. The root has settings. */
export function watchedFolders(testFiles: readonly string[]): { whole: string[]; flat: string[] } {
  const folders = testFiles.map((file) => {
    const parts = file.split('/').slice(0, -1)
    const top = parts.findIndex((part) => /^(?:tests?|test-d|__tests__|spec)$/.test(part))
    return { isWhole: top !== -1, folder: (top === -1 ? parts : parts.slice(0, top + 1)).join('/') }
  })
  const of = (isWhole: boolean) => folders.filter((one) => one.isWhole === isWhole).map(({ folder }) => folder)
  return { whole: [...new Set(of(true))], flat: [...new Set(['', ...of(false)])] }
}

export interface WrittenTests {
  /** Differ from what is committed when the command has ended. */
  rewritten: readonly string[]
  /** Were written to while they ran, and are as committed again. */
  putBack: readonly string[]
}

/**
 * `before`: what the same command does to tests without the work, as a formatter does. Null if nothing else was rewritten. A
 * command that writes to tests anyway may put back any of them.
 */
export function rewritingProblem(found: WrittenTests, before: WrittenTests): string | null {
  const rewritten = found.rewritten.filter((path) => !before.rewritten.includes(path))
  const putBack = before.putBack.length > 0 ? [] : found.putBack
  const own = [...new Set([...rewritten, ...putBack])]
  if (own.length === 0) return null
  return `These files changed while the tests ran, so they did not run as they are committed: ${own.join(', ')}`
}
