/** Prints a diagnosis for a terminal. */
import { stripVTControlCharacters, styleText } from 'node:util'
import type { AgentReport } from '../../agents/detect/agent-reports.ts'
import type { Check, Diagnosis } from './doctor.ts'

type Style = Parameters<typeof styleText>[0]
type Paint = (style: Style, text: string) => string

interface Row {
  section: Check['section']
  name: string
  mark: keyof typeof marks
  detail: string
  fix?: string
}

const marks = { ok: ['green', '✓'], off: ['dim', '○'], broken: ['red', '✗'] } as const
const sections = ['basics', 'agents', 'building', 'more on this machine'] as const

interface Look {
  color: boolean
  /** The width of the terminal. Without it, lines are as long as their text. */
  columns?: number
}

export function renderDoctor(diagnosis: Diagnosis, { color, columns }: Look): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text)
  const rows = [...diagnosis.checks.map(rowOfCheck), ...diagnosis.agents.map(rowOfAgent)]
  const width = Math.max(...rows.map(({ name }) => name.length), 0)
  const blocks = sections.flatMap((section) => {
    const own = rows.filter((row) => row.section === section)
    if (own.length === 0) return []
    return [[paint('bold', titleOf(section)), ...own.map((row) => line(row, { width, columns, paint }))].join('\n')]
  })
  return [...blocks, verdict(diagnosis, rows, paint)].join('\n\n')
}

function rowOfCheck({ section, name, state, detail, fix, needed }: Check): Row {
  return { section, name, mark: state === 'missing' ? (needed ? 'broken' : 'off') : state, detail, fix }
}

function rowOfAgent({ name, state, detail, fix }: AgentReport): Row {
  const section = state === 'off' ? 'more on this machine' : 'agents'
  return { section, name, mark: state === 'ok' || state === 'off' ? state : 'broken', detail, fix }
}

function line({ name, mark, detail, fix }: Row, look: { width: number; columns?: number; paint: Paint }): string {
  const { width, columns = Number.POSITIVE_INFINITY, paint } = look
  const [style, symbol] = marks[mark]
  const indent = ' '.repeat(width + 6)
  const wrapped = (text: string) => wrap(oneLine(text), Math.max(columns - indent.length, 20))
  const details = wrapped(detail).map((part) => (mark === 'off' ? paint('dim', part) : part))
  const about = `  ${paint(style, symbol)} ${name.padEnd(width)}  ${details.join(`\n${indent}`)}`
  if (!fix) return about
  // A line of a command must be copied whole: only the terminal breaks it.
  const remedy = `${paint('dim', '→')} ${paint('cyan', oneLine(fix))}`
  const fits = stripVTControlCharacters(`${about}  ${remedy}`).length <= Math.min(columns, 100)
  return fits && details.length === 1 ? `${about}  ${remedy}` : `${about}\n${indent}${remedy}`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function verdict({ ready, agents, checks }: Diagnosis, rows: readonly Row[], paint: Paint): string {
  const stops = checks.filter(({ stops_builds }) => stops_builds).map(({ name }) => name)
  const broken = rows
    .filter(({ name, mark }) => mark === 'broken' && !(ready && stops.includes(name)))
    .map(({ name }) => name)
  if (!ready) return `${paint('red', 'Not ready.')} Fix: ${broken.join(', ')}`
  const usable = agents.filter(({ state }) => state === 'ok')
  const only = usable.every(({ provider }) => provider === 'rehearsal')
    ? ' Rehearsal agents only: no model is asked.'
    : ''
  const rest = broken.length > 0 ? ` Still to fix: ${broken.join(', ')}` : ''
  if (stops.length > 0)
    return `${paint('yellow', 'Ready to talk and plan.')}${only} No build starts until this is fixed: ${stops.join(', ')}.${rest}`
  return `${paint('green', 'Ready.')}${only}${rest}`
}

function titleOf(section: string): string {
  return section.charAt(0).toUpperCase() + section.slice(1)
}

/** Line breaks and control characters in a path or an error would break the table. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
}
