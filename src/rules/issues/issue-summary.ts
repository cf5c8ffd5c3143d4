/** Summarises a finished issue in one or two sentences, from its commit and symbols. SPEC.md § FA. */
import { z } from 'zod'
import { readBySchema } from '../schema/reply.ts'
import { oneLine } from '../text/one-line.ts'
import type { IssueState } from './issue-states.ts'

/** [FA3] An agent's reply to `summary`. */
export const summaryReply = z.object({ summary: z.string().trim().min(1) })

/** [FA3] The asked form, or plain sentences. Null if the reply is some other JSON, or nothing. */
export function readSummary(text: string): string | null {
  const read = readBySchema(text, summaryReply)
  if (read.ok) return read.value.summary
  const prose = text.trim()
  return prose === '' || /^(```|[[{])/.test(prose) ? null : oneLine(prose, 600)
}

export interface FinishedWork {
  /** The issue's title, preferred to the commit's subject. */
  title?: string
  subject: string
  symbols: { added: readonly string[]; changed: readonly string[]; removed: readonly string[] }
  files: readonly string[]
}

/** [FA3] Without a model: the first sentence says what was done, the second which exports and files changed. */
export function summariseWork(work: FinishedWork): string {
  const { added, changed, removed } = work.symbols
  const changes = [phrase('adds', added), phrase('changes', changed), phrase('removes', removed)].filter(Boolean)
  const where = names(work.files, 3)
  const first = sentence(work.title?.trim() || withoutType(work.subject) || 'Finished without a commit subject')
  if (changes.length === 0) return where ? `${first} ${sentence(`Touches ${where}`)}` : first
  return `${first} ${sentence(`${changes.join(', ')}${where ? ` in ${where}` : ''}`)}`
}

/** What the rule reads of the feature's issues. */
export interface SummarisedIssue {
  number: number
  state: IssueState
  depends_on: readonly number[]
}

/** [FA3] Whether an agent's words are worth an ask: some issue that is not finished builds on it, directly or through others. */
export function isBuiltOn(number: number, issues: readonly SummarisedIssue[]): boolean {
  const reached = new Set([number])
  for (let before = 0; before < reached.size; ) {
    before = reached.size
    for (const issue of issues) if (issue.depends_on.some((one) => reached.has(one))) reached.add(issue.number)
  }
  return issues.some((issue) => issue.number !== number && reached.has(issue.number) && !finished.has(issue.state))
}

const finished: ReadonlySet<IssueState> = new Set<IssueState>(['DONE', 'SKIPPED', 'SPLIT'])

function phrase(verb: string, symbols: readonly string[]): string {
  return symbols.length > 0 ? `${verb} ${names(symbols, 5)}` : ''
}

function names(all: readonly string[], most: number): string {
  const shown = all.slice(0, most).map((name) => `\`${oneLine(name, 80)}\``)
  const rest = all.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '')
}

/** `feat(auth): Implement issue #1` reads better without its prefix. */
function withoutType(subject: string): string {
  return oneLine(subject, 200).replace(/^[a-z]{1,20}(\([^()]{0,100}\))?!?: /, '')
}

function sentence(text: string): string {
  const line = oneLine(text, 600).replace(/[.!?…]+$/, '')
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`
}
