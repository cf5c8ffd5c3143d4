/** Words the subject and body of a commit the way the repository's own log does. SPEC.md § MG1. */
import { oneLine } from '../text/one-line.ts'

export interface SubjectStyle {
  /** `conventional`: `feat: add`; `prefix`: `parser: add`; `plain`: only the words. */
  form: 'conventional' | 'prefix' | 'plain'
  /** Whether conventional commits name what they change: `feat(parser): add`. */
  scoped: boolean
  /** Whether the words begin with a capital letter. */
  capitalised: boolean
  /** Whether they end with a full stop. */
  fullStop: boolean
}

const conventional =
  /^(?:feat|fix|chore|docs?|refactor|tests?|build|ci|perf|style|break(?:ing)?|deps|types|release|revert|wip)(\([^)]*\))?!?: +/i
/** Subjects that tools and habits write at a release say nothing about the style of others. */
const release = /^(?:v?\d+\.\d+\S*|(?:release|publish|version packages|bump version)\b.*)$/i
const prefixed = /^[a-z0-9][\w./@-]*: +/i

/** Fewer commits than this show no habit; more of them may show one that was given up. */
const latest = 15

/**
 * From the subjects of recent commits, newest first; merges and releases are left out. Conventional commits are a decision that
 * a project takes at some time: where the latest ones have it, older ones do not matter. Without enough of them: plain,
 * capitalised words.
 */
export function subjectStyle(subjects: readonly string[]): SubjectStyle {
  const isOwn = (subject: string) =>
    subject !== '' && !/^(?:Merge|Revert|Initial commit)\b/.test(subject) && !release.test(subject)
  const all = subjects.map((subject) => subject.trim()).filter(isOwn)
  const isHabit = (some: readonly string[]) =>
    some.length > 0 && some.filter((subject) => conventional.test(subject)).length >= some.length / 2
  const own = isHabit(all.slice(0, latest)) ? all.filter((subject) => conventional.test(subject)) : all
  const share = (fits: (subject: string) => boolean) => (own.length === 0 ? 0 : own.filter(fits).length / own.length)
  const isConventional = isHabit(own)
  const form = isConventional ? 'conventional' : share((subject) => prefixed.test(subject)) >= 0.5 ? 'prefix' : 'plain'
  const words = (subject: string) =>
    form === 'plain' ? subject : subject.replace(form === 'conventional' ? conventional : prefixed, '')
  return {
    form,
    scoped: isConventional && share((subject) => conventional.exec(subject)?.[1] !== undefined) >= 0.5,
    capitalised: own.length < 3 ? form === 'plain' : share((subject) => /^\p{Lu}/u.test(words(subject))) >= 0.5,
    fullStop: own.length >= 3 && share((subject) => /[^.]\.$/.test(subject.trim())) > 0.5,
  }
}

/** `area` is the part of the project that changes, for subjects with a prefix or a scope. */
export function commitSubject(title: string, style: SubjectStyle, area: string): string {
  // A title that reads like git's own subject of a revert would undo another issue.
  const given = oneLine(title, 400)
    .replace(/[.…]+$/, '')
    .replace(/^(?:Revert|Reapply)(?= ")|^revert(?=: )/, 'Undo')
  const [, kind, scope, rest] = /^(feat|fix|docs|chore|refactor|test|perf)(\([^)]*\))?: +(.*)$/.exec(given) ?? []
  const bare = rest ?? given
  // The scope or the prefix says it already.
  const isNamed = style.form === 'prefix' || style.scoped
  const words = recased(
    isNamed && bare.startsWith(`${area}: `) ? bare.slice(area.length + 2).trim() : bare,
    style.capitalised,
  )
  const type = kind ?? (/^(?:fix|repair|correct)\b/i.test(words) ? 'fix' : /^document\b/i.test(words) ? 'docs' : 'feat')
  const named = scope ?? (style.scoped ? `(${area})` : '')
  const start = style.form === 'conventional' ? `${type}${named}: ` : style.form === 'prefix' ? `${area}: ` : ''
  const room = longestSubject - start.length - (style.fullStop ? 1 : 0)
  return `${start}${shortSubject(words, room)}${style.fullStop ? '.' : ''}`
}

const longestSubject = 72
/** Words that no subject ends with. */
const loose = /\s+(?:a|an|the|of|to|and|or|with|in|for|by|that|which|when|if|from|as|on|at|is|are|be|into|its|so|not)$/i

const joining = 'so|which|that|who|where|when|while|if|because|unless|until|since|instead|without'
/** Where a sentence may end early. A comma in a list is no such place, nor is the `but` of `all but the last`. */
const ends = new RegExp(
  `\\s*(?:[;:.]\\s|\\s[–—-]\\s|\\s\\(|,\\s(?=(?:${joining}|but|and|or|as|with)\\s)|,\\s(?=(?:the|an?)\\s[^,]*$)|\\s(?=(?:${joining})\\s))`,
  'g',
)
/** A condition in front of what is done. */
const condition = /^(?:when|if|while|after|before|because|since|for|in|on|with|as|to)\b[^,;:]*,\s+(?=\S+\s)/i

/**
 * Never cut in the middle: leaves out a condition in front, and ends at a clause where there is one, else at a word. The body
 * then has the whole title.
 */
export function shortSubject(title: string, longest = longestSubject): string {
  const whole = oneLine(title, 400).replace(/…$/, '')
  if (whole.length <= longest) return whole
  const isCapital = /^\p{Lu}/u.test(whole)
  const words = condition.test(whole) ? recased(whole.replace(condition, ''), isCapital) : whole
  if (words.length <= longest) return words
  const clauses = [...words.matchAll(ends)].map(({ index }) => tidy(words.slice(0, index)))
  const clause = clauses.findLast((one) => one.length <= longest && one.length >= longest / 3)
  if (clause !== undefined) return clause
  let short = words.slice(0, longest + 1).replace(/\s+\S*$/, '')
  if (short.length > longest) short = words.slice(0, longest)
  return tidy(short)
}

function tidy(text: string): string {
  let short = text
  while (loose.test(short)) short = short.replace(loose, '')
  return short.replace(/[,;:.\s]+$/, '')
}

/**
 * What was done and why, and the criteria that are met. Without the builder's own summary, the first paragraph below the
 * title says why; what follows it tells builders how to work, which a log does not keep.
 */
export function commitBody(description: string, criteria: readonly { text: string }[], summary = ''): string {
  const [first = '', ...rest] = description.trim().split('\n')
  const whole = oneLine(first, 400).length > longestSubject ? [first] : []
  const [paragraph = ''] = rest
    .join('\n')
    .trim()
    .split(/\n\s*\n/)
  const why = summary.trim() === '' ? paragraph : wrapped(summary)
  const met = criteria.map(({ text }) => `- ${oneLine(text, longestCriterion).replace(/\s+\S*…$/, ' …')}`).join('\n')
  return [...whole, why, met]
    .filter((part) => part.trim() !== '')
    .map((part) => part.split('\n').map(plainLine).join('\n').trim())
    .join('\n\n')
}

const longestSummary = 600
const longestCriterion = 400
const lineWidth = 72

function wrapped(summary: string): string {
  const lines: string[] = []
  for (const word of oneLine(summary, longestSummary).split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= lineWidth) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/** A line may not look like a trailer, like git's note of a revert, or like a message inside a squashed one. */
function plainLine(line: string): string {
  return line
    .replace(/^\* /, '- ')
    .replace(/^(Convene-[\w-]+)\s*:/i, '$1 -')
    .replace(/^(This reverts) (commit\b)/i, '$1 the $2')
    .trimEnd()
}

/** Leaves a first word alone that is a name, such as `HTTP` or `parseRow`. */
function recased(text: string, capitalised: boolean): string {
  const [first = ''] = text.split(/\s/, 1)
  if (/\p{L}.*\p{Lu}|[_`().]/u.test(first)) return text
  const letter = text.charAt(0)
  return (capitalised ? letter.toUpperCase() : letter.toLowerCase()) + text.slice(1)
}
