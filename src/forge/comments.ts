/** Renders the single status comment of an issue as Markdown. SPEC.md § GH. */
import { fenced, inlineCode, lastPart, plainWords } from './markdown.ts'

export interface TouchedFile {
  path: string
  change?: 'created' | 'modified' | 'deleted'
  purpose?: string
}

/** Another issue of the feature: its number, and its number on the forge if it has one. */
export interface IssueReference {
  number: number
  github?: number
}

interface About {
  feature: string
  number: number
}

export type IssueReport =
  | (About & { kind: 'greenlit'; criteria?: number; waitsFor?: IssueReference[] })
  | (About & { kind: 'retry'; retry: number; of: number; reason?: string })
  | (About & {
      kind: 'blocked'
      reason: string
      output?: string
      files?: TouchedFile[]
      /** Dependencies worth checking. */
      dependsOn?: IssueReference[]
      /** What a person could do before a retry. Replaces the usual advice. */
      nextSteps?: string[]
    })
  | (About & { kind: 'unblocked' })
  /** A dependency cannot be built now. */
  | (About & { kind: 'waiting'; reason: string; named?: IssueReference[] })
  | (About & { kind: 'split'; parts: number[] })
  | (About & {
      kind: 'done'
      /** Absent if passing tests showed that the issue was already done. */
      commit?: string
      files?: TouchedFile[]
      tests?: { passed: number; total: number }
      unblocked?: IssueReference[]
    })

/** [GH2] Limited to about 30,000 characters; GitHub accepts 65,536. */
export function renderComment(report: IssueReport): string {
  switch (report.kind) {
    case 'greenlit':
      return paragraphs(['### 🟢 Ready', greenlit(report)])
    case 'retry':
      return paragraphs([
        '### 🔁 Trying again',
        `**Retry ${report.retry} of ${report.of}** is under way.`,
        report.reason && `**What failed before:** ${plainWords(report.reason)}`,
      ])
    case 'blocked':
      return paragraphs([
        '### 🚫 Blocked',
        `**Reason:** ${plainWords(report.reason)}`,
        report.output?.trim() && testOutput(report.output),
        fileList('Files touched', report.files),
        `**Next steps**\n\n${numbered(nextSteps(report))}`,
      ])
    case 'unblocked':
      return paragraphs(['### 🟢 Ready again', 'It was unblocked and is in the queue.'])
    case 'waiting':
      return paragraphs([
        '### ⏸️ Waiting',
        `**Reason:** ${withReferences(plainWords(report.reason), report.named)}`,
        'Work continues once that is resolved.',
      ])
    case 'split':
      return paragraphs([
        '### 🧩 In parts',
        `It is large, so Convene builds it in ${report.parts.length} parts, one after the other: ${references(report.parts.map((number) => ({ number })))}.`,
      ])
    case 'done':
      return paragraphs([
        '### ✅ Done',
        report.commit ? `**Commit:** ${commitReference(report.commit)}` : 'Convene found it already implemented.',
        report.tests && `**Tests:** ${report.tests.passed}/${report.tests.total} passed`,
        fileList('Files', report.files),
        unblocked(report.unblocked),
      ])
  }
}

function greenlit({ criteria, waitsFor = [], feature }: Extract<IssueReport, { kind: 'greenlit' }>): string {
  const count =
    criteria === undefined ? '' : ` It has ${criteria} acceptance ${criteria === 1 ? 'criterion' : 'criteria'}.`
  const wait = waitsFor.length > 0 ? ` It starts after ${references(waitsFor)}.` : ''
  return `Part of the feature ${inlineCode(feature)}; Convene will implement it in order.${count}${wait}`
}

function nextSteps({
  feature,
  number,
  dependsOn = [],
  nextSteps,
}: Extract<IssueReport, { kind: 'blocked' }>): string[] {
  const usual = [
    'Check that the tests ask for what the acceptance criteria mean.',
    ...(dependsOn.length > 0 ? [`Check the issues it depends on: ${references(dependsOn)}.`] : []),
  ]
  const command = `convene unblock ${shellWord(feature)} --issue ${number}`
  return [
    ...(nextSteps?.slice(0, 10).map((step) => plainWords(step, 500)) ?? usual),
    `Try again: ${inlineCode(command)}`,
  ]
}

function testOutput(output: string): string {
  const { text, leftOut } = lastPart(output, { lines: 80, characters: 8000 })
  const note = leftOut > 0 ? ` (the last part; ${leftOut} earlier ${leftOut === 1 ? 'line' : 'lines'} left out)` : ''
  return `**Test output**${note}\n\n${fenced(text)}`
}

const mostFiles = 50

function fileList(title: string, files: TouchedFile[] = []): string | false {
  if (files.length === 0) return false
  const lines = files.slice(0, mostFiles).map(({ path, change, purpose }) => {
    const what = change ? ` (${change})` : ''
    const why = purpose?.trim() ? ` — ${plainWords(purpose, 200)}` : ''
    return `- ${inlineCode(path, 200)}${what}${why}`
  })
  const more = files.length - lines.length
  return [`**${title}**`, '', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

function unblocked(issues: IssueReference[] = []): string | false {
  if (issues.length === 0) return false
  return `**Unblocked:** ${references(issues)} can be worked on now.`
}

/** The forge links its own numbers; a feature's number would link to an unrelated issue. */
function references(issues: IssueReference[]): string {
  const shown = issues.slice(0, mostFiles).map(({ number, github }) => (github ? `#${github}` : `issue ${number}`))
  const more = issues.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** Replaces feature numbers in plain text with those of the forge. */
function withReferences(words: string, issues: IssueReference[] = []): string {
  const known = new Map(issues.map((issue) => [issue.number, issue]))
  return words.replace(/\\#\p{Cf}?(\d+)/gu, (_, digits: string) => {
    const number = Number(digits)
    return references([known.get(number) ?? { number }])
  })
}

/** GitHub links a bare hash; anything else is shown as code. */
function commitReference(commit: string): string {
  return /^[0-9a-f]{7,64}$/.test(commit) ? commit : inlineCode(commit, 100)
}

/** Can be pasted into a shell unchanged. */
function shellWord(word: string): string {
  return /^[\p{L}\p{N}._/-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function numbered(steps: string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}

function paragraphs(parts: (string | false | undefined)[]): string {
  return parts.filter((part) => part).join('\n\n')
}
