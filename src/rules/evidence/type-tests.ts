/** Tests of types: a type checker reads them and names nothing, so that the command's exit code decides. SPEC.md § VF2, VF9. */
import { namesCriterion } from '../build/criterion-names.ts'
import type { TestFacts } from '../build/test-facts.ts'
import { isTypeTest } from '../build/test-paths.ts'

export interface WrittenFile {
  path: string
  text: string
}

/** Adds a fact for each type test that the runner does not report itself. It is named by the criteria that it mentions. */
export function withTypeTests(
  ran: { tests: readonly TestFacts[]; exitCode: number },
  files: readonly WrittenFile[],
  criteria: readonly string[],
): TestFacts[] {
  const isReported = (path: string) => ran.tests.some(({ file }) => file === path)
  const unnamed = files.filter(({ path }) => isTypeTest(path) && !isReported(path))
  const facts = unnamed.map(({ path, text }): TestFacts => {
    const ids = criteria.filter((id) => namesCriterion(text, id, criteria))
    const outcome = ran.exitCode === 0 ? 'passed' : 'failed'
    return { name: [path, ...ids].join(' '), file: path, hinted: true, outcome }
  })
  return [...ran.tests, ...facts]
}
