/** Writes the message of a merge without its trailers, the way the repository's own log does. SPEC.md § MG1. */
import { jaccard, keywords } from '../text/words.ts'
import { commitBody } from './commit-body.ts'
import { commitSubject, readTitle, type SubjectStyle } from './commit-subject.ts'
import { type OwnSubject, ownSubject } from './own-subject.ts'

export interface MessageFacts {
  /** Of the issue or the spec. */
  title: string
  /** The spec's, with the title in its first line. */
  description: string
  criteria: readonly { id?: string; text: string }[]
  /** The implementer's, about a reply that changed something; empty if there is none. */
  summary: string
  style: SubjectStyle
  /** The part of the project that changes, for subjects with a prefix or a scope. */
  area: string
}

/** Where the title is too long, the implementer's own subject says more than a part of the title. */
export function writeMessage({ title, description, criteria, summary, style, area }: MessageFacts): string {
  const given = commitSubject(title, style, area)
  const own = given.isWhole ? null : fittingSubject(summary, style, area, title)
  const subject = own?.subject ?? given.subject
  const [, ...below] = description.trim().split('\n')
  const body = commitBody({
    subject,
    title: own && own.why !== '' ? undefined : readTitle(title).words,
    summary: own?.why ?? summary,
    description: below.join('\n'),
    criteria,
  })
  return body === '' ? subject : `${subject}\n\n${body}`
}

/** One that shares no word with the title speaks of something else, such as the last thing that a review asked for. */
function fittingSubject(summary: string, style: SubjectStyle, area: string, title: string): OwnSubject | null {
  const own = ownSubject(summary)
  if (own === null || jaccard(keywords(own.subject), keywords(title)) === 0) return null
  const { subject, isWhole } = commitSubject(own.subject, style, area, title)
  return isWhole ? { ...own, subject } : null
}
