/** Words the body of a commit: what was done and why, and the criteria that are met. SPEC.md § MG1. */
import { cutAtBoundary } from '../text/cut-at-boundary.ts'
import { oneLine } from '../text/one-line.ts'
import { words } from '../text/words.ts'
import { wrapMessage } from './wrap-message.ts'

interface Met {
  id?: string
  text: string
}

export interface ToSay {
  subject: string
  /** The whole title; absent where the summary says what was done. */
  title?: string | undefined
  summary: string
  /** What follows the title in the spec. */
  description: string
  criteria: readonly Met[]
}

/**
 * Without the builder's own summary, the first paragraph below the title says why; what follows it tells builders how to
 * work, which a log does not keep. What the subject says is not repeated.
 */
export function commitBody({ subject, title = '', summary, description, criteria }: ToSay): string {
  const isNews = (line: string) => !repeats(line, subject)
  const whole = isNews(title) ? title : ''
  const said = `${subject} ${whole}`
  const [paragraph = ''] = description.trim().split(/\n\s*\n/)
  const why = withoutRepeats(summary, said) || withoutRepeats(paragraph, said)
  const met = criteria.map(metWords).filter(isNews)
  const more = met.length - mostCriteria
  const list = [...met.slice(0, mostCriteria), ...(more > 0 ? [`and ${more} more ${criterionWord(more)}`] : [])]
  return [whole, why, list.map((one) => `- ${one}`).join('\n')]
    .map((part) => wrapMessage(part).split('\n').map(plainLine).join('\n'))
    .filter((part) => part !== '')
    .join('\n\n')
}

const longestWhy = 1200
const longestCriterion = 400
const mostCriteria = 8

const criterionWord = (count: number) => (count === 1 ? 'criterion' : 'criteria')

/** In one line, without its id: that is in a trailer. */
function metWords({ id, text }: Met): string {
  const line = oneLine(text, longestCriterion).replace(/\s+\S*…$/, ' …')
  const [mark] = /^[:.)\]–—-]\s+/.exec(id !== undefined && line.startsWith(id) ? line.slice(id.length) : '') ?? []
  return mark === undefined ? line : line.slice(id!.length + mark.length)
}

/** Leaves out a first paragraph, or its first sentence, that says only what was said. */
function withoutRepeats(text: string, said: string): string {
  const given = text.trim()
  const [paragraph = ''] = given.split(/\r?\n\s*\r?\n/, 1)
  // A line that goes on in the next one is no line of its own.
  const [, line = ''] = /^(.*)\n(?=[\p{Lu}\p{N}`*-])/u.exec(given) ?? []
  const [, sentence = ''] = /^(.*?[.!])\s+\p{Lu}/su.exec(paragraph) ?? []
  const repeated = [paragraph, line, sentence].find((one) => one !== '' && repeats(one, said))
  return cutAtBoundary(given.slice(repeated?.length ?? 0).trim(), longestWhy, '…')
}

function repeats(line: string, said: string): boolean {
  const known = new Set(words(said))
  const own = words(line)
  return own.length > 0 && own.every((word) => known.has(word))
}

/** A line may not look like a trailer, like git's note of a revert, or like a message inside a squashed one. */
function plainLine(line: string): string {
  return line
    .replace(/^\* /, '- ')
    .replace(/^(Convene-[\w-]+)\s*:/i, '$1 -')
    .replace(/^(This reverts) (commit\b)/i, '$1 the $2')
}
