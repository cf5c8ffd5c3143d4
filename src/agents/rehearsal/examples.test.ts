import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRehearsalScript } from './script.ts'

const examples = join(import.meta.dirname, '../../../examples')
const scripts = globSync('*/{script,rehearsal}.yaml', { cwd: examples })

it('finds the scripts of the examples', () => {
  expect(scripts.length).toBeGreaterThanOrEqual(3)
})

it.each(scripts)('examples/%s can be played', (script) => {
  expect(readRehearsalScript(join(examples, script)).lines.length).toBeGreaterThan(0)
})
