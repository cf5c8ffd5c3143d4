import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configJsonSchema } from '../../src/kernel/config/json-schema.ts'

it('convene.schema.json is what the code gives; if not, run: node scripts/config-schema.ts', () => {
  const committed = readFileSync(new URL('../../convene.schema.json', import.meta.url), 'utf8')
  expect(committed).toBe(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
})
