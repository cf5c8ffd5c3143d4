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

interface RanCommand {
  tests: readonly TestFacts[]
  exitCode: number
  /** The parts of the command that were seen to run. */
  parts?: readonly { command: string; exitCode: number | null }[]
  /** Only some test files were run. */
  narrowed?: boolean
}

/**
 * Adds a fact for each type test that checks something and that the runner does not report itself. It is named by the
 * criteria that stand beside its checks; those that hold already have one of their own.
 */
export function withTypeTests(ran: RanCommand, files: readonly WrittenFile[], wanted: WantedCriteria): TestFacts[] {
  const isReported = (path: string) => ran.tests.some(({ file }) => file === path)
  const unnamed = files.filter(({ path }) => isTypeTest(path) && !isReported(path))
  const facts = unnamed.flatMap(({ path, ...file }): TestFacts[] => {
    const covered = checkedCriteria({ path, ...file }, wanted)
    if (covered === undefined) return []
    const kept = covered.filter((id) => wanted.keep?.includes(id))
    const fresh = covered.filter((id) => !kept.includes(id))
    const fact = (ids: string[], passed: boolean): TestFacts => ({
      name: [path, ...ids].join(' '),
      file: path,
      hinted: true,
      outcome: passed ? 'passed' : 'failed',
    })
    return [
      ...(fresh.length > 0 || kept.length === 0 ? [fact(fresh, ran.exitCode === 0)] : []),
      ...(kept.length > 0 ? [fact(kept, !typesFail(ran))] : []),
    ]
  })
  return [...ran.tests, ...facts]
}

/** A linter or a red test that ends the command says nothing about types: where its parts are known, the type checker's counts. */
function typesFail({ exitCode, parts = [], narrowed = false }: RanCommand): boolean {
  if (exitCode === 0) return false
  const checked = parts.filter(({ command }) => typeChecker.test(command))
  return checked.some((part) => part.exitCode !== 0) || (parts.length === 0 && !narrowed)
}

const typeChecker = /(?:^|[\s/])(?:tsd|tsd-lite|tsc|vue-tsc|tstyche|dtslint)(?=$|\s)/

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
