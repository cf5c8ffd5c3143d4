/** The project's own rules for contributors, and what it is. SPEC.md § CX3. */
import type { ProjectFile } from './coding-context.ts'

/** In the order in which they are shown, with the characters that each may take. */
const ruleFiles: [name: string, characters: number][] = [
  ['CLAUDE.md', 15_000],
  ['AGENTS.md', 15_000],
  ['GEMINI.md', 15_000],
  ['.github/copilot-instructions.md', 15_000],
  ['.cursorrules', 15_000],
  ['CONTRIBUTING.md', 6_000],
  ['.github/CONTRIBUTING.md', 6_000],
  ['docs/CONTRIBUTING.md', 6_000],
]

/** The files to read. */
export const knowledgeFiles: readonly string[] = [...ruleFiles.map(([name]) => name), 'README.md', 'readme.md']

const longestDescription = 400

/** Rules as they are, each text once; a file that only refers to another one of them is left out. */
export function projectRules(files: readonly ProjectFile[]): ProjectFile[] {
  const found = ruleFiles.flatMap(([name, characters]) => {
    const text = files.find((file) => file.name === name)?.text ?? ''
    const own = name.endsWith('CONTRIBUTING.md') ? aboutTheCode(text) : text
    return own.trim() === '' ? [] : [{ name, text: startOf(own, characters) }]
  })
  const isReference = ({ name, text }: ProjectFile) =>
    found.some((other) => other.name !== name && text.length < 300 && text.includes(other.name))
  return found.filter((file, index) => {
    const isRepeated = found.slice(0, index).some(({ text }) => text.trim() === file.text.trim())
    return !isRepeated && !isReference(file)
  })
}

/** Says so where it is cut. */
function startOf(text: string, characters: number): string {
  const start = firstCharacters(text, characters)
  return start.length === text.length ? text : `${start}\n[cut here: the file is longer]`
}

/**
 * A guide for people without what only people do: setting up, reporting issues, opening pull requests, releasing, being
 * paid, behaving well. Subsections go with their section; the guide's own title decides nothing.
 */
function aboutTheCode(guide: string): string {
  const kept: string[] = []
  let leftOut = 0
  let fenced = false
  for (const line of guide.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    const [, marks = '', title = ''] = (fenced ? null : /^(#{1,6})\s+(.*)$/.exec(line)) ?? []
    if (marks !== '' && (leftOut === 0 || marks.length <= leftOut))
      leftOut = marks.length > 1 && forPeople.test(title) ? marks.length : 0
    if (leftOut === 0) kept.push(line)
  }
  return kept.join('\n').replace(/\n{3,}/g, '\n\n')
}

const forPeople =
  /\b(?:fork(?:ing)?|getting started|prerequisites|(?:development |local )set-?up|installation|fil(?:e|ing) (?:an? )?issues?|pull request process|previews?|backport\w*|licen[cs]e|acknowledge?ments?|code of conduct|our (?:pledge|standards)|enforcement|attribution|report(?:ing)? (?:an? |security )?(?:bugs?|issues?|problems?|vulnerabilit\w+)|bug reports?|(?:feature|enhancement) requests?|(?:submit|open|creat|send|fil)\w* (?:an? )?(?:pull requests?|prs?|issues?)|security (?:polic\w+|issues?|vulnerabilit\w+)|releas(?:e process|es|ing)|publishing|licensing|contributor licen[cs]e agreement|sign(?:ing)?[- ]off|financial|sponsor\w*|donat\w*|funding|backers|credits|thank you|our community|questions|get(?:ting)? (?:help|support))\b/i

/** The first paragraph of prose in the readme: no titles, pictures, badges, markup or lists. */
export function projectDescription(files: readonly ProjectFile[]): string {
  const readme = files.find(({ name }) => /^readme\.md$/i.test(name))?.text ?? ''
  const plain = readme
    .replaceAll(/<!--[\s\S]*?-->|^```[\s\S]*?^```/gm, '')
    .replaceAll(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replaceAll(/\[\s*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replaceAll(/<[^>]*>/g, '')
  const paragraphs = plain.split(/\n\s*\n/).map((paragraph) =>
    paragraph
      .split('\n')
      .filter((line) => !/^\s*(?:#|=+\s*$|-+\s*$|[-*+|]\s|\d+\.\s|\[[^\]]+\]:)/.test(line))
      .map((line) => line.replace(/^\s*>\s?/, '').trim())
      .join(' ')
      .trim(),
  )
  const prose = paragraphs.find((text) => /\p{L}{2,}\s+\p{L}/u.test(text.replaceAll(/\[[^\]]*\]\([^)]*\)/g, ''))) ?? ''
  const words = prose.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  const end = words.length <= longestDescription ? words.length : words.lastIndexOf(' ', longestDescription)
  return words.slice(0, end).replace(announcesList, '')
}

/** A last sentence that ends with a colon, behind another one: "It is localized to:". The list is not part of the description. */
const announcesList = /(?<=[.!?]["'”’)*_]*)(?<!\b(?:e\.g|i\.e|vs|etc|cf)\.) (?:[^.!?]|[.!?](?! ))*:[*_]*$/i

/** Never cuts a surrogate pair in half. */
export function firstCharacters(text: string, count: number): string {
  const cut = text.slice(0, count)
  const last = cut.charCodeAt(cut.length - 1)
  return cut.length < text.length && last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut
}
