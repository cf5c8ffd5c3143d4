/**
 * Opens databases and payload folders as an unprivileged user: `<folder> …`. Prints the error of each. Everything is
 * loaded before it drops its privileges, because that user may not be able to read the project.
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
