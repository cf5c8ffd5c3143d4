/** Formats parts of a plan as Markdown. */
import { oneLine } from '../rules/text/one-line.ts'

export function findingWords(finding: { [extra: string]: unknown }, longest = 400): string {
  const { title, detail, by, confidence, rated, weighed, dismissed } = finding
  const text = [title, detail].filter((one): one is string => typeof one === 'string' && one !== '').join(': ')
  const sure = typeof confidence === 'number' ? `, ${confidence} % sure` : ''
  const found = `${oneLine(text, longest) || 'no description given'}${typeof by === 'string' ? ` (${oneLine(by)}${sure})` : ''}`
  if (typeof dismissed === 'string') return `${found}; dismissed by the coordinator: ${oneLine(dismissed, 300)}`
  return typeof weighed === 'string' ? `${found}; was ${rated}: ${oneLine(weighed, 300)}` : found
}

/** A number with at most three decimals. */
export function figure(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}

export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`
}

/** CV6: how many answered, and who is missing: "2 of 3 answered; missing: researcher-risk". */
export function turnout(answered: string, missing: readonly string[]): string {
  return `${answered} answered${missing.length > 0 ? `; missing: ${missing.map((name) => oneLine(name)).join(', ')}` : ''}`
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item.replace(/\s*\n\s*/g, ' ')}`).join('\n')
}

/** Like `listSection`, for items that bring their own lines, indented as a list item needs them. */
export function itemSection(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`
}

/**
 * A list item for a question and its answer. An answer of several lines keeps them as a quote: its own headings, fences
 * and lists cannot change the document around it.
 */
export function answerItem(question: string, answer: string, remark = ''): string {
  const lines = answer.trim().split(/\r?\n/)
  const after = remark === '' ? '' : ` ${remark}`
  if (lines.length === 1) return `${question} ${lines[0]}${after}`
  return [`${question}${after}`, ...lines.map((line) => `  > ${line}`.trimEnd())].join('\n')
}

/** A section with a list; empty if there are no items. */
export function listSection(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${title}\n\n${bullets(items)}`
}

/** Inside a table. */
export function cell(text: string): string {
  return oneLine(text, 160).replaceAll('|', '\\|')
}
