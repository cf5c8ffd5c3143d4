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

export function renderDoctor(diagnosis: Diagnosis, { color }: { color: boolean }): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text)
  const rows = [...diagnosis.checks.map(rowOfCheck), ...diagnosis.agents.map(rowOfAgent)]
  const width = Math.max(...rows.map(({ name }) => name.length), 0)
  const blocks = sections.flatMap((section) => {
    const own = rows.filter((row) => row.section === section)
    if (own.length === 0) return []
    return [[paint('bold', titleOf(section)), ...own.map((row) => line(row, width, paint))].join('\n')]
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

function line({ name, mark, detail, fix }: Row, width: number, paint: Paint): string {
  const [style, symbol] = marks[mark]
  const about = `  ${paint(style, symbol)} ${name.padEnd(width)}  ${mark === 'off' ? paint('dim', oneLine(detail)) : oneLine(detail)}`
  if (!fix) return about
  const remedy = `${paint('dim', '→')} ${paint('cyan', oneLine(fix))}`
  const fits = stripVTControlCharacters(`${about}  ${remedy}`).length <= 100
  return fits ? `${about}  ${remedy}` : `${about}\n${' '.repeat(width + 6)}${remedy}`
}

function verdict({ ready, agents }: Diagnosis, rows: readonly Row[], paint: Paint): string {
  const broken = rows.filter(({ mark }) => mark === 'broken').map(({ name }) => name)
  if (!ready) return `${paint('red', 'Not ready.')} Fix: ${broken.join(', ')}`
  const usable = agents.filter(({ state }) => state === 'ok')
  const only = usable.every(({ provider }) => provider === 'rehearsal')
    ? ' Rehearsal agents only: no model is asked.'
    : ''
  const rest = broken.length > 0 ? ` Still to fix: ${broken.join(', ')}` : ''
  return `${paint('green', 'Ready.')}${only}${rest}`
}

function titleOf(section: string): string {
  return section.charAt(0).toUpperCase() + section.slice(1)
}

/** Line breaks and control characters in a path or an error would break the table. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
}
