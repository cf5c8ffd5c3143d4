/** Writes `convene.schema.json` (editors complete `convene.yaml` from it) and the key tables of `docs/configuration.md`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configJsonSchema } from '../src/kernel/config/json-schema.ts'
import { withConfigReference } from './config-reference.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/configuration.md')
const schema = configJsonSchema()
writeFileSync(join(root, 'convene.schema.json'), `${JSON.stringify(schema, null, 2)}\n`)
writeFileSync(page, withConfigReference(readFileSync(page, 'utf8'), schema))
console.error('wrote convene.schema.json and docs/configuration.md')
