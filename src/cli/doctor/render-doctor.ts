/** The doctor's findings for a terminal. */
import { stripVTControlCharacters, styleText } from 'node:util'
import { type DoctorFinding, sections } from './doctor.ts'

type Style = Parameters<typeof styleText>[0]

export function renderDoctor(findings: readonly DoctorFinding[], { color }: { color: boolean }): string {
  const paint = (style: Style, text: string) => (color ? styleText(style, text, { validateStream: false }) : text)
  const width = Math.max(...findings.map((finding) => finding.name.length), 0)
  const blocks = sections.flatMap((section) => {
    const own = findings.filter((finding) => finding.section === section)
    if (own.length === 0) return []
    return [[paint('bold', titleOf(section)), ...own.map((finding) => line(finding, width, paint))].join('\n')]
  })
  return [...blocks, verdict(findings, paint)].join('\n\n')
}

function line(
  { name, state, detail, fix, needed }: DoctorFinding,
  width: number,
  paint: (style: Style, text: string) => string,
): string {
  const [style, mark] = marks[state === 'missing' && needed ? 'broken' : state]
  const about = `  ${paint(style, mark)} ${name.padEnd(width)}  ${state === 'missing' && !needed ? paint('dim', oneLine(detail)) : oneLine(detail)}`
  if (!fix) return about
  const remedy = `${paint('dim', '→')} ${paint('cyan', oneLine(fix))}`
  const fits = stripVTControlCharacters(`${about}  ${remedy}`).length <= 100
  return fits ? `${about}  ${remedy}` : `${about}\n${' '.repeat(width + 6)}${remedy}`
}

const marks = { ok: ['green', '✓'], missing: ['dim', '○'], broken: ['red', '✗'] } as const

function verdict(findings: readonly DoctorFinding[], paint: (style: Style, text: string) => string): string {
  const broken = findings.filter((finding) => finding.state !== 'ok' && (finding.needed || finding.state === 'broken'))
  if (broken.length === 0) return paint('green', 'Ready.')
  const names = broken.map((finding) => finding.name).join(', ')
  return `${paint('yellow', 'Look at:')} ${names}`
}

function titleOf(section: string): string {
  return section.charAt(0).toUpperCase() + section.slice(1)
}

/** A path or an error of many lines, or with control characters in it, would break the table. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
}
