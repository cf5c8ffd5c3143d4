/** Criteria that no test can check, such as what a README says: the reviewer checks them. SPEC.md § VF14. */
import type { Problem } from '../schema/problem.ts'
import type { KeptCriterion } from './exits.ts'
import type { Criterion } from './spec.ts'
import { factsByFile, filesOf, type SyntaxFacts, symbolsByName } from './syntax-facts.ts'

export interface ReviewedCriterion {
  id: string
  text: string
  /** Why no test can check it, if an agent said so and not the spec. */
  reason?: string
}

/** Those that the spec marks, and those that an agent left to the reviewer. */
export function reviewedCriteria(
  criteria: readonly Criterion[],
  left: readonly KeptCriterion[] = [],
): ReviewedCriterion[] {
  return criteria.flatMap(({ id, text, kind }) => {
    const reason = left.find(({ criterionId }) => criterionId === id)?.reason
    return kind === 'review' || reason !== undefined ? [{ id, text, ...(reason === undefined ? {} : { reason }) }] : []
  })
}

/** An agent may leave only criteria of its own spec to the reviewer. */
export function strangeReviews(criteria: readonly Criterion[], left: readonly KeptCriterion[] = []): Problem[] {
  const strange = left.filter(({ criterionId }) => !criteria.some(({ id }) => id === criterionId))
  return strange.map(({ criterionId }) =>
    problem(`${criterionId} is left to the reviewer, but is not a criterion of this spec`),
  )
}

/** Work that changes what a program does needs at least one test; `changed` are the files of `changedBehaviour`. */
export function untestedBehaviour(criteria: readonly string[], changed: readonly string[]): Problem[] {
  if (criteria.length === 0 || changed.length === 0) return []
  const files = changed.slice(0, 3).join(', ')
  const message = `every criterion (${criteria.join(', ')}) is left to the reviewer, but the work changes what ${files} does: write a test for at least one of them`
  return [problem(message)]
}

/** Files in which more changed than documents, types and comments. */
export function changedBehaviour(before: readonly SyntaxFacts[], after: readonly SyntaxFacts[]): string[] {
  const [old, young] = [factsByFile(before), factsByFile(after)]
  return filesOf(before, after).filter((file) => {
    if (isDocument(file) || isTypeDeclaration(file)) return false
    const [was, is] = [old.get(file), young.get(file)]
    if (was?.parsed === false || is?.parsed === false) return true
    const [one, other] = [runs(was), runs(is)]
    return one.size !== other.size || [...one].some((symbol) => !other.has(symbol))
  })
}

/**
 * An approval says of each such criterion where the reviewer saw it met: in a file that the work changed, unless it says that
 * the criterion held already.
 */
export function uncheckedCriteria(
  reviewed: readonly ReviewedCriterion[],
  checked: readonly { criterionId: string; finding?: string; already?: boolean | null | undefined }[],
  work?: { files: readonly string[]; changed: readonly string[] },
): Problem[] {
  return reviewed.flatMap(({ id, text }) => {
    const about = checked.filter(({ criterionId }) => criterionId === id)
    if (about.length === 0)
      return problem(
        `Approved does not say that you checked ${id} ("${text}"), which no test does: read the work and list it in "checked": [{"criterionId": "${id}", "finding": where you saw it}], or ask for what is missing with MoreTests`,
      )
    if (work === undefined || about.some(({ already }) => already)) return []
    const words = new Set(about.flatMap(({ finding = '' }) => wordsIn(finding)))
    const named = work.files.filter((path) => words.has(path) || words.has(path.slice(path.lastIndexOf('/') + 1)))
    if (named.length === 0 || named.some((path) => work.changed.includes(path))) return []
    const files = named.slice(0, 3).join(', ')
    return problem(
      `Approved says that ${id} ("${text}") is met in ${files}, which the work does not change: read the diff again and ask for what is missing with MoreTests, or add "already": true to that entry if it held before`,
    )
  })
}

/** Those that may name a file: `run` or `build` may be one, but is more likely an ordinary word. */
function wordsIn(text: string): string[] {
  const words = text.split(/[^\w@./-]+/).map((word) => word.replace(/\W$/, ''))
  return words.filter((word) => /[./]/.test(word) || isDocument(word))
}

/** What of a file is executed, by name and body; imports and what a class extends are not compared. */
function runs(facts: SyntaxFacts | undefined): Set<string> {
  const symbols = [...symbolsByName(facts)].filter(([, { kind }]) => kind !== 'type')
  return new Set(symbols.map(([name, { bodyHash }]) => `${name} ${bodyHash}`))
}

export function isDocument(file: string): boolean {
  return /\.(md|mdx|markdown|rst|adoc|txt)$/i.test(file) || /(^|\/)(readme|changelog|licen[cs]e|notice)$/i.test(file)
}

function isTypeDeclaration(file: string): boolean {
  return /\.d\.[cm]?ts$/.test(file) || file.endsWith('.pyi')
}

function problem(message: string): Problem {
  return { rule: 'VF14', message }
}
