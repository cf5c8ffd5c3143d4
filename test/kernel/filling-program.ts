/**
 * Works until the disk is full, and reports what it got done: `<folder> <effects file> <payload bytes> [pages]`. Given
 * a number of pages, the database behaves as if the disk had no room for more.
 */
import { appendFileSync } from 'node:fs'
import { filling, root } from './filling-workflows.ts'
import { openLocalEngine } from './open-engine.ts'

const [folder, effectsFile, payloadBytes, pages] = process.argv.slice(2) as [string, string, string, string?]
const { database, engine, store, close } = openLocalEngine(folder)
if (pages !== undefined) database.prepare(`PRAGMA max_page_count = ${Number(pages)}`).get()
const child = filling((step) => appendFileSync(effectsFile, `${step}\n`))
engine.register(child)
engine.register(root(child))
await engine.recover()
const result =
  (await engine.get('root')) === null
    ? (await engine.start(root(child), undefined, { id: 'root' })).result()
    : engine.result('root')
const outcome = await result.then(
  (value) => ({ value }),
  (error) => ({ error: { name: error.name, code: error.code, message: error.message } }),
)
const payload = await store.putPayload(Buffer.alloc(Number(payloadBytes), 'x')).then(
  () => 'kept',
  (error) => error.code,
)
await close()
console.log(JSON.stringify({ ...outcome, payload }))
