/** Words the subject of a commit the way the repository's own log does. SPEC.md § MG1. */
import { oneLine } from '../text/one-line.ts'
import { longestSubject, recased, shortSubject } from './short-subject.ts'

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

/**
 * `area` is the part of the project that changes, for subjects with a prefix or a scope; `about` is the title, which may say
 * that the change is a repair where the text does not. A text that is too long is cut: then it is not whole.
 */
export function commitSubject(
  text: string,
  style: SubjectStyle,
  area: string,
  about = text,
): { subject: string; isWhole: boolean } {
  const { kind, scope, words: bare } = readTitle(text)
  // The scope or the prefix says it already.
  const isNamed = style.form === 'prefix' || style.scoped
  const words = recased(
    isNamed && bare.startsWith(`${area}: `) ? bare.slice(area.length + 2).trim() : bare,
    style.capitalised,
  )
  const type = kind ?? kindOf(words) ?? readTitle(about).kind ?? kindOf(about) ?? 'feat'
  const named = scope ?? (style.scoped ? `(${area})` : '')
  const start = style.form === 'conventional' ? `${type}${named}: ` : style.form === 'prefix' ? `${area}: ` : ''
  const room = longestSubject - start.length - (style.fullStop ? 1 : 0)
  const short = shortSubject(words, room)
  return { subject: `${start}${short}${style.fullStop ? '.' : ''}`, isWhole: short === words }
}

/** One line without a full stop. A title that reads like git's own subject of a revert would undo another issue. */
export function readTitle(title: string): { kind?: string | undefined; scope?: string | undefined; words: string } {
  const given = oneLine(title, 400)
    .replace(/[.…]+$/, '')
    .replace(/^(?:Revert|Reapply)(?= ")|^revert(?=: )/, 'Undo')
  const [, kind, scope, words = given] =
    /^(feat|fix|docs|chore|refactor|test|perf)(\([^)]*\))?: +(.*)$/.exec(given) ?? []
  return { kind, scope, words }
}

function kindOf(words: string): string | undefined {
  if (/^(?:fix|repair|correct)\b/i.test(words)) return 'fix'
  return /^document\b/i.test(words) ? 'docs' : undefined
}
