/** Decides which issues a decision concerns: by the names of code and files in it, then by its words. SPEC.md § PH6. */
import { keywords } from '../text/words.ts'

/** The share of a decision's keywords that an issue must have. */
const share = 0.5

/**
 * PH6: the issues that a text concerns, by index. A text that names code concerns the issues that name the same code; without
 * such names, or if no issue has one, the files in it count, then its keywords. Empty if it concerns no issue in particular.
 */
export function issuesNamedBy(text: string, issues: readonly string[]): number[] {
  const byCode = issuesNamingCode(text, issues)
  if (byCode.length > 0) return byCode
  const byFile = naming(filesIn(text), issues)
  if (byFile.length > 0) return byFile
  const words = keywords(text)
  if (words.size === 0) return []
  return indexesOf(issues, (issue) => {
    const own = keywords(issue)
    const shared = [...words].filter((word) => own.has(word)).length
    return shared >= Math.min(2, words.size) && shared / words.size >= share
  })
}

/** The issues that name the same code as a text, by index. */
export function issuesNamingCode(text: string, issues: readonly string[]): number[] {
  return naming(symbolsIn(text), issues)
}

function naming(names: readonly string[], issues: readonly string[]): number[] {
  return indexesOf(issues, (issue) => names.some((name) => mentions(issue, name)))
}

function indexesOf(issues: readonly string[], isMeant: (issue: string) => boolean): number[] {
  return issues.flatMap((issue, index) => (isMeant(issue) ? [index] : []))
}

/** Identifiers: called with brackets, in backticks, or with a capital or an underscore inside. */
function symbolsIn(text: string): string[] {
  const plain = filesIn(text).reduce((rest, file) => rest.replaceAll(file, ' '), text)
  const called = [...plain.matchAll(/([A-Za-z_$][\w$]*)\(/g)].map(([, name]) => name!)
  const quoted = [...plain.matchAll(/`([A-Za-z_$][\w$.-]*)`/g)].map(([, name]) => name!)
  const shaped = plain.match(/(?<![\w$])(?:[a-z$][a-z0-9$]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[a-z]\w*_\w+)/g) ?? []
  return [...new Set([...called, ...quoted, ...shaped])].filter((name) => name.length > 2)
}

function filesIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w@/:.-])(?:[\w@.-]+\/)*[\w-]+\.[a-z][a-z0-9]{0,4}(?![\w/])/g) ?? [])]
}

function mentions(issue: string, name: string): boolean {
  for (let at = issue.indexOf(name); at !== -1; at = issue.indexOf(name, at + 1))
    if (!/[\w$]/.test(issue[at - 1] ?? '') && !/[\w$]/.test(issue[at + name.length] ?? '')) return true
  return false
}
