/** What a person sees, judged by a process that was not yet told of what others wrote. */
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Access } from '../../src/app/access.ts'
import { Database } from '../../src/kernel/stores/database.ts'
import { SqliteStore } from '../../src/kernel/stores/sqlite.ts'
import { messagePosted, roomCreated, roomStream, roomsStream } from '../../src/room/events.ts'
import type { Person } from '../../src/rules/team/roles.ts'
import { rehearsalProject } from '../support/convene.ts'
import { serve } from '../support/server.ts'

it('[US2] hides a room that another process has just created, and everything in it', async () => {
  const { app } = await serve(rehearsalProject('[]\n'))
  const { store, rooms } = app
  const questions = { askedBy: async () => undefined }
  const access = new Access({ store, shared: true, rooms, questions, plans: { runOf: async () => '' } })
  const [ann, bob] = (['ann', 'bob'] as const).map((name): Person => ({ name, role: 'member' })) as [Person, Person]
  // Another connection to the same file: this process is told of nothing that it writes.
  const database = new Database(join(app.stateFolder, 'convene.db'))
  onTestFinished(() => other.close())
  const other = new SqliteStore(database, { payloadFolder: join(app.stateFolder, 'payloads') })
  const add = async (id: string, members?: string[]) => {
    const room = { id, name: id, agents: ['gpt'], ...(members ? { members } : {}) }
    const message = { message_id: 'm', text: 'alpha', mode: 'single' as const, target: 'gpt' }
    return other.append([
      roomCreated.create({ stream: roomsStream }, room),
      messagePosted.create({ stream: roomStream(id), run: `answer-${id}` }, message),
    ])
  }
  const seen = (person: Person, id: string, events: Awaited<ReturnType<typeof add>>) =>
    Promise.all([
      access.sees(person, 'room', id),
      access.sees(person, 'run', `answer-${id}`),
      access.only(person, 'run', [`answer-${id}`], (run) => run).then((left) => left.length > 0),
      access.seesAsk(person, { stream: roomStream(id) }, `answer-${id}/ask`),
      ...events.map((event) => access.seesEvent(person, event)),
    ])
  const all = Array<boolean>(6)
  const everyones = await add('everyones')
  expect(await seen(bob, 'everyones', everyones)).toEqual(all.fill(true))
  // First the question that leads to no look at the rooms' own stream.
  const hers = await add('hers', ['ann'])
  expect(await access.seesEvent(bob, hers[1]!)).toBe(false)
  expect(await seen(bob, 'hers', hers)).toEqual(all.fill(false))
  expect(await seen(ann, 'hers', hers)).toEqual(all.fill(true))
})
