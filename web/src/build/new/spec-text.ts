/** Parses a spec, YAML or JSON, and reports the problems of each line. */
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type Spec, specSchema } from '../../../../src/rules/build/spec.ts'

export interface SpecProblem {
  /** Counted from 1. */
  line: number
  /** `acceptanceCriteria.0.id`; empty where it is about the whole. */
  path: string
  message: string
}

export type ReadSpec = { spec: Spec } | { problems: SpecProblem[] }

export function readSpec(text: string): ReadSpec {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => ({
      line: error.linePos?.[0].line ?? 1,
      path: '',
      message: error.message.split(/ at line |\n/)[0]!,
    }))
    return { problems }
  }
  if (document.contents === null) return { problems: [{ line: 1, path: '', message: 'the spec is empty' }] }
  const parsed = specSchema.safeParse(document.toJS())
  if (parsed.success) return { spec: parsed.data }
  const lineOf = (path: readonly PropertyKey[]) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const keys = path.slice(0, length).map((key) => (typeof key === 'symbol' ? String(key) : key))
      const found = length === 0 ? document.contents : document.getIn(keys, true)
      if (isNode(found) && found.range) return counter.linePos(found.range[0]).line
    }
    return 1
  }
  const problems = parsed.error.issues.map((issue) => ({
    line: lineOf([...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])]),
    path: issue.path.map(String).join('.'),
    message: problemText(issue, document.getIn(issue.path) === undefined),
  }))
  return { problems: problems.sort((one, other) => one.line - other.line) }
}

/** The page shows the field's name beside this text. */
function problemText(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: unknown field`
  if (isMissing) return 'is missing'
  if (issue.code === 'too_small' && issue.minimum === 1 && issue.origin !== 'number') return 'is empty'
  return issue.message.replace(/^Invalid input: /, '').replace(/^Too small: /, '')
}

export const exampleSpec = `id: slug
description: Turn a title into a slug for an address
acceptanceCriteria:
  - id: lower
    text: Letters become lower case
  - id: dashes
    text: Blanks and punctuation become single dashes
  - id: ends
    text: No dash at the beginning or the end
targetPath: src/slug.ts
testPath: test/slug.test.ts
`
