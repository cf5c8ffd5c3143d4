import { describe, expect, it } from 'vitest'
import type { DoctorFinding } from './doctor.ts'
import { renderDoctor } from './render-doctor.ts'

const findings: DoctorFinding[] = [
  { section: 'basics', name: 'Node', state: 'ok', detail: '24.1.0', needed: true },
  {
    section: 'basics',
    name: 'git',
    state: 'missing',
    detail: 'git is not on the PATH',
    fix: 'brew install git',
    needed: true,
  },
  {
    section: 'agents',
    name: 'gpt',
    state: 'broken',
    detail: 'KEY is not set',
    fix: 'export KEY=<your key>',
    needed: true,
  },
  {
    section: 'building',
    name: 'sandbox',
    state: 'missing',
    detail: 'x'.repeat(90),
    fix: 'brew install ripgrep',
    needed: false,
  },
]

describe('renderDoctor', () => {
  it('says what is usable, what is not, and the line that fixes it', () => {
    expect(renderDoctor(findings, { color: false })).toBe(`Basics
  ✓ Node     24.1.0
  ✗ git      git is not on the PATH  → brew install git

Agents
  ✗ gpt      KEY is not set  → export KEY=<your key>

Building
  ○ sandbox  ${'x'.repeat(90)}
             → brew install ripgrep

Look at: git, gpt`)
  })

  it('is ready when only things that are not needed are missing', () => {
    const well = findings.filter(({ name }) => name === 'Node' || name === 'sandbox')
    expect(renderDoctor(well, { color: false })).toMatch(/\nReady\.$/)
  })

  it('colours on demand, and says the same', () => {
    const coloured = renderDoctor(findings, { color: true })
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
    expect(coloured).toMatch(escapes)
    expect(coloured.replace(escapes, '')).toBe(renderDoctor(findings, { color: false }))
  })

  it('keeps a finding on its line whatever its text contains', () => {
    const hostile = { ...findings[0]!, detail: `a\nb\tc${String.fromCharCode(27)}[2J` }
    expect(renderDoctor([hostile], { color: false })).toContain('Node  a b c')
    expect(renderDoctor([], { color: false })).toBe('Ready.')
  })
})
