/** Writes docs/http.md from the API table. Run it after changing a route. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { httpReference } from '../src/serve/http-reference.ts'

const file = fileURLToPath(new URL('../docs/http.md', import.meta.url))
writeFileSync(file, await httpReference())
console.error(`wrote ${file}`)
