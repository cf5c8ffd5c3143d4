/** Selects the project context of a coding agent within a token budget. SPEC.md § CX3. */
import { type CountTokens, flatten } from './context.ts'
import { firstCharacters, projectDescription, projectRules } from './project-rules.ts'

export interface ProjectFile {
  name: string
  text: string
}

/** One line of the module registry. */
export interface RegisteredModule {
  path: string
  symbols: readonly string[]
  purpose: string
  issue: number
  change: 'created' | 'modified'
}

export interface IssueSummary {
  issue: number
  /** One or two sentences. */
  summary: string
  key_files: readonly string[]
}

export interface ProjectKnowledge {
  files: readonly ProjectFile[]
  modules: readonly RegisteredModule[]
  summaries: readonly IssueSummary[]
  /** The dependencies of the current issue. */
  dependencies: readonly number[]
}

export interface CodingContext {
  text: string
  /** Paths and issues that did not fit. */
  omitted: string[]
}

export const codingContextTokens = 12_000

const sections = ['about', 'rules', 'modules', 'summaries'] as const

type Section = (typeof sections)[number]

interface Item {
  section: Section
  name: string
  text: string
  /** Lower is fitted first. */
  priority: number
}

/** Fits what the project is and its rules first, then what the issue depends on, then the rest. */
export function selectCodingContext(
  knowledge: ProjectKnowledge,
  countTokens: CountTokens,
  budget: number = codingContextTokens,
): CodingContext {
  const items = [...ruleItems(knowledge.files), ...moduleItems(knowledge), ...summaryItems(knowledge)]
  const byPriority = items.toSorted((a, b) => a.priority - b.priority)
  const chosen = new Map<Item, string>()
  let left = budget - countTokens(headingsOf(items).join('\n\n'))
  for (const item of byPriority) {
    const fitting = whatFits(item.section, item.text, left, countTokens)
    if (fitting === '') continue
    chosen.set(item, fitting)
    left -= countTokens(`\n${fitting}`)
  }
  // Joining the parts can cost extra tokens: drop what was fitted last until the whole fits.
  for (let over = excess(); chosen.size > 0 && over > 0; over = excess()) {
    const [last, text] = [...chosen].at(-1)!
    const shorter = whatFits(last.section, text, countTokens(text) - over, countTokens)
    if (shorter === '' || shorter === text) chosen.delete(last)
    else chosen.set(last, shorter)
  }
  const text = render(items, chosen)
  return { text, omitted: items.filter((item) => chosen.get(item) !== item.text).map((item) => item.name) }

  function excess(): number {
    return countTokens(render(items, chosen)) - budget
  }
}

const headings: Readonly<Record<Section, string>> = {
  about: '## The project',
  rules: '## Project rules',
  modules: '## Modules made so far',
  summaries: '## Finished issues',
}

function headingsOf(items: readonly Item[]): string[] {
  return sections
    .filter((section) => items.some((item) => item.section === section))
    .map((section) => headings[section])
}

function render(items: readonly Item[], chosen: ReadonlyMap<Item, string>): string {
  return sections
    .map((section) => items.filter((item) => item.section === section && chosen.has(item)))
    .filter((present) => present.length > 0)
    .map((present) => [headings[present[0]!.section], ...present.map((item) => chosen.get(item)!)].join('\n'))
    .join('\n\n')
}

/** Cuts project rules and description to fit; modules and summaries are included whole or not at all. */
function whatFits(section: Section, text: string, tokens: number, countTokens: CountTokens): string {
  if (countTokens(`\n${text}`) <= tokens) return text
  if (section !== 'rules' && section !== 'about') return ''
  let low = 0
  let high = text.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (countTokens(`\n${firstCharacters(text, middle)}`) <= tokens) low = middle
    else high = middle - 1
  }
  return firstCharacters(text, low)
}

function ruleItems(files: readonly ProjectFile[]): Item[] {
  const rules = projectRules(files).map(
    ({ name, text }): Item => ({ section: 'rules', name, text: `### ${name}\n${text}`, priority: 0 }),
  )
  const about = projectDescription(files)
  return about === '' ? rules : [{ section: 'about', name: 'README.md', text: about, priority: 0 }, ...rules]
}

function moduleItems({ modules, dependencies }: ProjectKnowledge): Item[] {
  return modules.map((module) => {
    const symbols = module.symbols.length > 0 ? ` [${module.symbols.join(', ')}]` : ''
    return {
      section: 'modules',
      name: module.path,
      text: `- ${module.path}${symbols}: ${flatten(module.purpose)} (${module.change} by #${module.issue})`,
      priority: dependencies.includes(module.issue) ? 2 : 3,
    }
  })
}

function summaryItems({ summaries, dependencies }: ProjectKnowledge): Item[] {
  const dependsOn = (summary: IssueSummary) => dependencies.includes(summary.issue)
  const ordered = [...summaries.filter(dependsOn), ...summaries.filter((summary) => !dependsOn(summary))]
  return ordered.map((summary) => {
    const files = summary.key_files.length > 0 ? ` (${summary.key_files.join(', ')})` : ''
    return {
      section: 'summaries',
      name: `#${summary.issue}`,
      text: `- #${summary.issue}: ${flatten(summary.summary)}${files}`,
      priority: dependsOn(summary) ? 1 : 4,
    }
  })
}
