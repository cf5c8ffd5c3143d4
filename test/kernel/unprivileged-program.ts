/**
 * Opens databases and payload folders as a user who owns nothing: `<folder> …`. Says the error each gave. Everything is
 * loaded before the rights are given up, for the project itself may be out of that user's reach.
 */
import { openLocalEngine } from './open-engine.ts'

const nobody = 65534
if (process.getuid?.() === 0) {
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}

const outcomes: unknown[] = []
for (const folder of process.argv.slice(2)) outcomes.push(await outcomeOf(folder))
console.log(JSON.stringify(outcomes))

async function outcomeOf(folder: string): Promise<unknown> {
  try {
    const { store, close } = openLocalEngine(folder)
    const payload = await store.putPayload('x').catch((error) => error.code)
    await close()
    return { payload }
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string }
    return { name, code, message }
  }
}
