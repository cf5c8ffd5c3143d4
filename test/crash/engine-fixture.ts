/**
 * Starts or resumes the story in a folder: `<folder> <moment> <seed>`. At its n-th moment the process kills itself
 * with SIGKILL. Moment 0 means never.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { SqliteEngine } from '../../src/kernel/engines/sqlite.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { Database } from '../../src/kernel/stores/database.ts'
import { SqliteStore } from '../../src/kernel/stores/sqlite.ts'
import { createStory, watchReady } from './engine-story.ts'

export interface StoryOptions {
  folder: string
  seed: number
  /** Called at every moment at which the process could die. */
  moment?: (name: string) => void
}

export interface StoryOutcome {
  result: unknown
  events: StoredEvent[]
}

export const storyId = 'story'

export function effectsFile(folder: string): string {
  return join(folder, 'effects')
}

export function open(folder: string, observe?: (name: string) => void) {
  const database = new Database(join(folder, 'convene.db'))
  const store = new SqliteStore(database, { payloadFolder: join(folder, 'payloads') })
  const engine = new SqliteEngine({
    database,
    store,
    observe: observe && ((moment) => observe(`${moment.at} ${moment.run} ${moment.name}`)),
  })
  return { store, engine }
}

export async function playStory({ folder, seed, moment = () => {} }: StoryOptions): Promise<StoryOutcome> {
  const { store, engine } = open(folder, moment)
  const { story, all } = createStory({
    moment: (at, name) => moment(`${at} ${name}`),
    effect: (name) => appendFileSync(effectsFile(folder), `${name}\n`),
    turns: (name) => (seed === 0 ? 0 : shuffled(seed, name)),
  })
  for (const workflow of all) engine.register(workflow)
  const stopWatch = (event: StoredEvent) => {
    if (!watchReady.is(event)) return
    moment('stop-next')
    engine.stop(event.data.run).then(() => moment('stop-done'))
  }
  store.subscribe(stopWatch)
  try {
    moment('recover-next')
    await engine.recover()
    for (const event of await store.read({ stream: 'watch' })) stopWatch(event)
    moment('start-next')
    const handle = await engine.start(story, 'input', { id: storyId })
    moment('start-done')
    const result = await handle.result()
    moment('end')
    return { result, events: await store.read({}) }
  } finally {
    await engine.close()
    await store.close()
  }
}

/** A number from 0 to 5 for a name, determined by the seed. */
function shuffled(seed: number, name: string): number {
  let hash = seed
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return (hash >>> 7) % 6
}

if (import.meta.main) {
  const [folder, crashAt, seed] = process.argv.slice(2) as [string, string, string]
  let moments = 0
  const moment = (name: string) => {
    moments++
    if (moments !== Number(crashAt)) return
    appendFileSync(join(folder, 'crashes'), `${name}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  await playStory({ folder, seed: Number(seed), moment })
  console.log(JSON.stringify({ moments }))
}
