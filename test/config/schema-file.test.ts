import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withConfigReference } from '../../scripts/config-reference.ts'
import { configJsonSchema } from '../../src/kernel/config/json-schema.ts'

const root = join(import.meta.dirname, '../..')

it('convene.schema.json is up to date; if not, run: node scripts/config-schema.ts', () => {
  const committed = readFileSync(join(root, 'convene.schema.json'), 'utf8')
  expect(committed).toBe(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
})

it('docs/configuration.md lists every key; if not, run: node scripts/config-schema.ts', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  expect(page).toBe(withConfigReference(page, configJsonSchema()))
  expect(page).toContain('`room.dispatch.max_responders`')
})
