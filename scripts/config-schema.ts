/** Writes `convene.schema.json`, which editors use to complete and check `convene.yaml`. Run it after changing a key. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configJsonSchema } from '../src/kernel/config/json-schema.ts'

const file = fileURLToPath(new URL('../convene.schema.json', import.meta.url))
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
console.error(`wrote ${file}`)
