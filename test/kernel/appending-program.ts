/** Appends facts to a database that other processes write to: `<folder> <name> <count>`. */
import { openLocalEngine } from './open-engine.ts'

const [folder, name, count] = process.argv.slice(2) as [string, string, string]
const { store, close } = openLocalEngine(folder)
for (let number = 0; number < Number(count); number++) {
  await store.append([{ type: 'thing.noted', version: 1, stream: name, data: number }])
}
await close()
console.log(JSON.stringify({ appended: Number(count) }))
