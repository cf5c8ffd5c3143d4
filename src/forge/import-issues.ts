/** Imports issues from the forge as the issues of a feature. */
import { ConveneError } from '../kernel/errors.ts'
import type { Criterion } from '../rules/build/spec.ts'
import { parseAcceptanceCriteria } from './acceptance-criteria.ts'
import type { Forge, ForgeIssue } from './forge.ts'

export interface ImportedIssue {
  /** The number on the forge: one number for one issue, in commands, commits and links. */
  number: number
  title: string
  body: string
  /** Empty if the issue has none. */
  acceptance_criteria: Criterion[]
  /** The imported issues that it depends on. */
  depends_on: number[]
  github: number
}

export interface IssueQuery {
  /** All of them. */
  labels: string[]
  state: 'open' | 'closed' | 'all'
}

export async function importIssues(forge: Forge, query: string): Promise<ImportedIssue[]> {
  const { labels, state } = parseIssueQuery(query)
  const found = await forge.listIssues({ label: labels[0], state })
  const issues = found.filter((issue) => labels.every((label) => hasLabel(issue, label)))
  const numbers = new Set(issues.map(({ number }) => number))
  return issues.map(({ number, title, body }) => ({
    number,
    title,
    body,
    acceptance_criteria: parseAcceptanceCriteria(body),
    depends_on: dependenciesIn(body).filter((other) => other !== number && numbers.has(other)),
    github: number,
  }))
}

/** `label:x`, `label:"two words"`, `state:all`, in any order. */
export function parseIssueQuery(query: string): IssueQuery {
  const parsed: IssueQuery = { labels: [], state: 'open' }
  const rest = query.replace(
    /\b(label|state):(?:"([^"]*)"|(\S+))/g,
    (_, key: string, quoted?: string, bare?: string) => {
      const value = (quoted ?? bare ?? '').trim()
      if (value === '') throw wrongQuery(query)
      if (key === 'label') parsed.labels.push(value)
      else if (value === 'open' || value === 'closed' || value === 'all') parsed.state = value
      else throw wrongQuery(query)
      return ''
    },
  )
  if (rest.trim() !== '' || parsed.labels.length === 0) throw wrongQuery(query)
  return parsed
}

/** "Depends on #3 and #4", "blocked by: #5". */
function dependenciesIn(body: string): number[] {
  const said = body.matchAll(/\b(?:depends on|blocked by|requires)\b[:\s]*((?:(?:,|and|&|\s)*#\d+)+)/gi)
  const numbers = [...said].flatMap(([, list]) => [...list!.matchAll(/#(\d+)/g)].map((match) => Number(match[1])))
  return [...new Set(numbers)].filter(Number.isSafeInteger).sort((a, b) => a - b)
}

function hasLabel({ labels }: ForgeIssue, label: string): boolean {
  return labels.some((name) => name.toLowerCase() === label.toLowerCase())
}

function wrongQuery(query: string): ConveneError {
  const expected = 'label:name, label:"two words", and state:open, state:closed or state:all'
  const message = `'${query}' does not say which issues: write label:name`
  return new ConveneError('invalid_input', message, { path: 'from-github', expected })
}
