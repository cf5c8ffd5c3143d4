/** Reads the subject that the implementer's summary begins with. SPEC.md § MG1. */
import { withoutEmphasis } from '../text/without-emphasis.ts'
import { longestSubject } from './short-subject.ts'

export interface OwnSubject {
  subject: string
  /** What follows it. */
  why: string
}

/** One short line in front of a blank one, as git has it. Null where it is no subject: one word, a path, or about the process. */
export function ownSubject(summary: string): OwnSubject | null {
  const [first = '', second = '', ...rest] = summary.trim().split(/\r?\n/)
  if (second.trim() !== '' || first.length > 2 * longestSubject) return null
  const subject = withoutEmphasis(first).trim()
  if (subject.length > longestSubject || !isSubject(subject)) return null
  return { subject, why: rest.join('\n').trim() }
}

function isSubject(line: string): boolean {
  if (marked.test(line) || sentences.test(line) || aboutWork.test(line)) return false
  const words = line.split(/\s+/).filter((word) => !isPath(word) && !betweenPaths.test(word))
  return words.length > 1 || /\p{Lo}/u.test(line)
}

/** Marks of a list, a heading, a code block or a commit that git squashes by itself; a line that announces another. */
const marked = /^(?:[#>|*+•-]|\d+[.)]\s|```|~~~|(?:fixup|squash|amend)!)|[:?…]$/
const sentences = /[.!?]\s+\p{Lu}/u
const aboutWork = new RegExp(
  [
    "^(?:i|we|i['’]\\w+|we['’]\\w+|it|this|these|there|all|everything|nothing|none|no(?! longer)|done|already)\\b",
    '^(?:(?:the|every|both|each) )?(?:tests?|code|work|parts?|reviews?|implementation|change)\\b',
    '\\b(?:criteri(?:a|on)|AC-?\\d+|reviewer|as (?:asked|requested|specified))\\b',
    '\\btests? (?:now |still )?pass|\\bpass(?:es|ed)? (?:all |the )*tests?\\b',
  ].join('|'),
  'i',
)

const isPath = (word: string) => /^[`'"(]*[\w@.-]*(?:[/\\][\w@./\\-]*|\.[a-z]{1,5})[`'"),]*$/i.test(word)
const betweenPaths = /^(?:and|in|to|of|for|files?|changes?|changed|updates?|updated|edits?|edited|modif(?:y|ied))$/i
