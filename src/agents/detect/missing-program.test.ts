import { describe, expect, it } from 'vitest'
import { fakeMachine } from './fake-machine.fixture.ts'
import { missingProgram } from './missing-program.ts'

const machine = fakeMachine({ programs: { npm: '', make: '' }, files: { '/p/mvnw': '', '/opt/tool': '' } })

describe('missingProgram', () => {
  it.each([
    ['pnpm test', 'pnpm'],
    ['npm ci && pnpm test', 'pnpm'],
    ['CI=1 pnpm test', 'pnpm'],
    ['make build; { ./gradlew test || true; }', './gradlew'],
    ['/opt/gone --check', '/opt/gone'],
    ['exec pnpm test', 'pnpm'],
    ['(pnpm test)', 'pnpm'],
    ['if npm ci; then pnpm test; fi', 'pnpm'],
  ])('finds what is not installed: %s', (command, program) => {
    expect(missingProgram(command, machine, '/p')).toBe(program)
  })

  it.each([
    'npm test',
    'cd web && npm test',
    './mvnw -B test',
    '/opt/tool',
    'set -e; export A=1; npm ci',
    "npm test -- --grep 'a && pnpm'",
    '$TOOL test',
    '"/opt/with space/tool" test',
    'npm test > out.txt 2>&1 | make report',
  ])('accepts what is there or cannot be checked: %s', (command) => {
    expect(missingProgram(command, machine, '/p')).toBeUndefined()
  })

  it('leaves relative programs to the set-up command that may create them', () => {
    expect(missingProgram('.venv/bin/python -m pytest', machine)).toBeUndefined()
    expect(missingProgram('.venv/bin/python -m pytest', machine, '/p')).toBe('.venv/bin/python')
  })
})
