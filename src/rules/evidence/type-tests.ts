/** Tests of types: a type checker reads them and names nothing, so that the command's exit code decides. SPEC.md § VF2, VF9. */
import { namesCriterion } from '../build/criterion-names.ts'
import type { TestFacts } from '../build/test-facts.ts'
import { isTypeTest } from '../build/test-paths.ts'
import { typeTestParts } from './type-checks.ts'

export interface WrittenFile {
  path: string
  text: string
  /** The file on the commit that the work starts from. */
  before?: string
}

export interface WantedCriteria {
  criteria: readonly string[]
  /** Criteria that hold already: an existing check may be theirs. */
  keep?: readonly string[]
}

/**
 * Adds a fact for each type test that checks something and that the runner does not report itself. It is named by the
 * criteria that stand beside its checks.
 */
export function withTypeTests(
  ran: { tests: readonly TestFacts[]; exitCode: number },
  files: readonly WrittenFile[],
  wanted: WantedCriteria,
): TestFacts[] {
  const isReported = (path: string) => ran.tests.some(({ file }) => file === path)
  const unnamed = files.filter(({ path }) => isTypeTest(path) && !isReported(path))
  const outcome = ran.exitCode === 0 ? 'passed' : 'failed'
  const facts = unnamed.flatMap((file): TestFacts[] => {
    const covered = checkedCriteria(file, wanted)
    if (covered === undefined) return []
    return [{ name: [file.path, ...covered].join(' '), file: file.path, hinted: true, outcome }]
  })
  return [...ran.tests, ...facts]
}

/** The criteria with a check of their own; undefined if the file has no check that counts. A comment alone proves nothing. */
export function checkedCriteria(
  { text, before = '' }: WrittenFile,
  { criteria, keep = [] }: WantedCriteria,
): string[] | undefined {
  const old = new Set(checksIn(before))
  const covered = new Set<string>()
  let [named, isNaming, counts]: [string[], boolean, boolean] = [[], false, false]
  for (const part of typeTestParts(text)) {
    const ids = criteria.filter((id) => namesCriterion('words' in part ? part.words : part.check, id, criteria))
    if ('words' in part) {
      if (ids.length > 0) named = isNaming ? [...named, ...ids] : ids
      isNaming = true
    } else {
      const isNew = !old.has(spaceless(part.check))
      const proven = [...named, ...ids].filter((id) => isNew || keep.includes(id))
      for (const id of proven) covered.add(id)
      counts ||= isNew || proven.length > 0
      isNaming = false
    }
  }
  return counts ? criteria.filter((id) => covered.has(id)) : undefined
}

function spaceless(code: string): string {
  return code.replace(/\s+/g, '')
}

function checksIn(text: string): string[] {
  return typeTestParts(text).flatMap((part) => ('check' in part ? [spaceless(part.check)] : []))
}
