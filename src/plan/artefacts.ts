/** Reads and writes the files of a plan: Markdown with front matter that people may edit. */

import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { stringify } from 'yaml'
import { privateFile, privateFolder } from '../kernel/private-files.ts'
import { parseYaml } from '../kernel/safe-yaml.ts'
import { type PhaseSummary, phaseSummarySchema } from '../rules/plan/phase-summary.ts'
import { type PhaseId, phaseById } from '../rules/plan/phase-table.ts'
import { inputError } from '../rules/schema/rule.ts'

export interface Summary extends PhaseSummary {
  /** A short text for later phases and for people. */
  text: string
}

/** Writes to a temporary file and renames it, so that no reader sees a partial file. */
export function writeArtefact(folder: string, file: string, text: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), privateFolder)
  const staging = `${path}.writing`
  writeFileSync(staging, text, privateFile)
  renameSync(staging, path)
}

export function readArtefact(folder: string, file: string): string | null {
  const path = join(folder, file)
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : null
}

/** For requests from outside: refuses links that lead out of the plan's folder. */
export function readConfined(folder: string, file: string): string | null {
  const path = join(folder, file)
  if (!existsSync(path)) return null
  const inside = relative(realpathSync(folder), realpathSync(path))
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? null : readArtefact(folder, file)
}

export function removeArtefact(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true })
}

/** Moves a version that was sent back to `earlier/`, for comparison with the next one. */
export function setAside(folder: string, file: string, pass: number): void {
  const path = join(folder, file)
  if (!existsSync(path)) return
  const aside = join(folder, earlierFile(file, pass))
  mkdirSync(dirname(aside), privateFolder)
  renameSync(path, aside)
}

/** `design.md` of the first pass is `earlier/design-1.md`. */
export function earlierFile(file: string, pass: number): string {
  return `earlier/${file.replace(/(\.[a-z]+)?$/, `-${pass}$1`)}`
}

export const summaryFile = (phase: PhaseId) => `.phase-summaries/phase-${phase}-summary.md`

/** PH2: writes every field, even empty ones, so that people who edit the file see all of them. */
export function renderSummary({ text, ...summary }: Summary): string {
  const { phase, status, flags, block_reason, ...facts } = summary
  const fields = {
    phase,
    status,
    ...(block_reason === undefined ? {} : { block_reason }),
    flags,
    strategy: null,
    strategy_override: null,
    answered: null,
    missing: null,
    outcome: null,
    specify_score: null,
    specify_dimensions: null,
    preset: null,
    ...facts,
  }
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${text.trim()}\n`
}

export type ReadSummary =
  | { kind: 'read'; summary: Summary }
  | { kind: 'missing' }
  /** The file was edited and is invalid: what is wrong, and where. */
  | { kind: 'broken'; problem: string }

export function readSummary(folder: string, phase: PhaseId): ReadSummary {
  const file = readArtefact(folder, summaryFile(phase))
  if (file === null) return { kind: 'missing' }
  const { front, text } = splitFrontMatter(file)
  if (front === null) return { kind: 'broken', problem: 'it does not begin with front matter between two lines of ---' }
  let values: unknown
  try {
    values = parseYaml(front)
  } catch (error) {
    return { kind: 'broken', problem: (error as Error).message.split('\n')[0] ?? 'its front matter is not YAML' }
  }
  const checked = phaseSummarySchema.safeParse(values)
  if (!checked.success) return { kind: 'broken', problem: inputError(checked.error).message }
  return { kind: 'read', summary: { ...withReplaced(checked.data), text } }
}

/** A file lists replaced decisions apart; the rules find out from all of them which ones hold. */
function withReplaced({ replaced_decisions = [], ...summary }: PhaseSummary): PhaseSummary {
  const replaced = replaced_decisions.map(({ by: _by, ...decision }) => decision)
  return { ...summary, key_decisions: [...replaced, ...summary.key_decisions] }
}

/** PH5: rebuilds a lost summary from the artefact's front matter, which has the decisions with their ids. */
export function rebuildSummary(folder: string, phase: PhaseId): Summary | null {
  const artefact = readArtefact(folder, phaseById(phase).artefact)
  if (artefact === null) return null
  const { front, text } = splitFrontMatter(artefact)
  const values = front === null ? {} : (tryParse(front) ?? {})
  const kept = phaseSummarySchema.safeParse({ ...(values as object), phase, status: 'completed' })
  const summary = withReplaced(kept.success ? kept.data : phaseSummarySchema.parse({ phase, status: 'completed' }))
  return { ...summary, flags: [...new Set([...summary.flags, 'summary_rebuilt', 'degraded'])], text: firstWords(text) }
}

/** An artefact has the same front matter as its summary, so that a lost summary can be rebuilt. */
export function renderArtefact(summary: PhaseSummary, title: string, body: string): string {
  return `---\n${stringify(withoutEmpty(summary), { lineWidth: 0 })}---\n\n# ${title}\n\n${body.trim()}\n`
}

/** Appends to an artefact and updates its front matter. Null if the file is gone. */
export function amendArtefact(folder: string, file: string, summary: PhaseSummary, addition: string): string | null {
  return rewriteArtefact(folder, file, summary, (text) => (text.includes(addition) ? text : `${text}\n\n${addition}`))
}

/** Changes the text of an artefact and updates its front matter. Null if the file is gone. */
export function rewriteArtefact(
  folder: string,
  file: string,
  summary: PhaseSummary,
  change: (text: string) => string,
): string | null {
  const before = readArtefact(folder, file)
  if (before === null) return null
  const { text } = splitFrontMatter(before)
  const page = `---\n${stringify(withoutEmpty(summary), { lineWidth: 0 })}---\n\n${change(text).trim()}\n`
  writeArtefact(folder, file, page)
  return page
}

/** Closes a code fence that an agent left open; it would swallow everything after it. */
export function closeFences(text: string): string {
  let open: string | null = null
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    if (!fence) continue
    if (open === null) open = fence[1]!
    else if (fence[1]!.startsWith(open) && fence[2]!.trim() === '') open = null
  }
  return open === null ? text : `${text}\n${open}`
}

export function splitFrontMatter(file: string): { front: string | null; text: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(file)
  return match ? { front: match[1]!, text: match[2]!.trim() } : { front: null, text: file }
}

/** Quotes foreign text, so that it cannot open front matter, a fence or a heading in our Markdown. */
export function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

function withoutEmpty(values: object): object {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)))
}

function tryParse(text: string): unknown {
  try {
    return parseYaml(text)
  } catch {
    return null
  }
}

function firstWords(text: string): string {
  return text.replace(/^#.*$/gm, '').trim().slice(0, 600)
}
