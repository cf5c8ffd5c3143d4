/** Joins issues that only write documentation with the work that they document. SPEC.md § PH6. */

/** The parts of a planned issue that matter here. */
export interface DocumentedIssue {
  number?: number
  title: string
  body: string
  acceptance_criteria: readonly { text: string }[]
  depends_on: readonly number[]
  target_path?: string
  test_path?: string
  files?: readonly string[]
  decisions?: readonly string[]
}

/**
 * PH6: no test can show that a text is well written, so an issue for a document without a test of its own belongs to the
 * work it describes: the last issue that it depends on, otherwise the last that is not documentation. A plan of
 * documentation alone stays as it is. Issues without a number are left alone: nothing can say what depends on them.
 */
export function joinDocumentation<Issue extends DocumentedIssue>(
  issues: readonly Issue[],
): { issues: Issue[]; joined: string[] } {
  const isNumbered = issues.every(({ number }) => number !== undefined)
  const work = issues.filter((issue) => !isDocumentation(issue))
  if (!isNumbered || work.length === 0 || work.length === issues.length) return { issues: [...issues], joined: [] }
  const hostOf = new Map<number, number>()
  for (const issue of issues.filter(isDocumentation)) {
    const before = work.filter(({ number }) => issue.depends_on.includes(number!))
    hostOf.set(issue.number!, (before.at(-1) ?? work.at(-1))!.number!)
  }
  const documents = issues.filter(({ number }) => hostOf.has(number!))
  const moved = (numbers: readonly number[], own: number) =>
    [...new Set(numbers.map((one) => hostOf.get(one) ?? one))].filter((one) => one !== own)
  return {
    issues: work.map((issue) => {
      const mine = documents.filter(({ number }) => hostOf.get(number!) === issue.number)
      if (mine.length === 0) return { ...issue, depends_on: moved(issue.depends_on, issue.number!) }
      return {
        ...issue,
        body: [issue.body, ...mine.map(inWords)].filter(Boolean).join('\n\n'),
        depends_on: moved(issue.depends_on, issue.number!),
        files: merged(issue.files, ...mine.map(({ target_path, files = [] }) => [target_path!, ...files])),
        decisions: merged(issue.decisions, ...mine.map(({ decisions }) => decisions)),
      }
    }),
    joined: documents.map(({ title }) => title),
  }
}

const documents = [/\.(?:md|mdx|markdown|rst|adoc|txt)$/i, /(?:^|\/)(?:readme|changelog|license|notice|authors)$/i]

/** A document as its target, and no test file of its own. */
export function isDocumentation({ target_path, test_path }: DocumentedIssue): boolean {
  const isDocument = (path: string) => documents.some((pattern) => pattern.test(path))
  return target_path !== undefined && isDocument(target_path) && (test_path === undefined || isDocument(test_path))
}

function inWords({ title, body, target_path, acceptance_criteria }: DocumentedIssue): string {
  const wanted = acceptance_criteria.map(({ text }) => `- ${text}`).join('\n')
  return [`Also write ${target_path}: ${title}.`, body, wanted].filter(Boolean).join('\n\n')
}

function merged(...lists: (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))]
}
