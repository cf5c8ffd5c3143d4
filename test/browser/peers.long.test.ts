/** A room of peers in the web app: who is present, who decided, and why not all of them took part. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { openPeersRoom, scriptOf, unhurried } from '../team/peers-room.ts'
import { type RunningPostgres, startPostgres } from '../team/start-postgres.ts'
import { itemBy, say, textOf, whyPanel } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
})
afterAll(() => database?.stop())

inBrowser('a room of peers', () => {
  it('shows who is present and how to start the others, and explains a round that one of them decided alone', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], { ...unhurried, alone: 0.5 })
    const { page } = await openPage({ server: room.server }, { path: `/rooms/${room.id}` })
    await eventually(() => textOf(page.getByTestId('presence'))).toBe('0 of 2 peers present')
    await eventually(() => textOf(page.getByTestId('peers'))).toContain('convene peer --name gpt --room team')
    const gpt = await room.peer('gpt', scriptOf('gpt'))
    await eventually(() => textOf(page.getByTestId('presence'))).toBe('1 of 2 peers present')
    await say(page, 'How should the parser treat an empty line?')
    await itemBy(page, 'gpt').waitFor()
    await eventually(() => textOf(page.getByTestId('round'))).toContain('decided alone')
    await page.getByTestId('round').getByRole('button', { name: /^Why/ }).click()
    await eventually(() => textOf(whyPanel(page).getByTestId('peers-why'))).toMatch(
      /gpt recorded the decision first[\s\S]*No other peer had proposed in time[\s\S]*part 1\s+gpt\s+answered/,
    )
    expect(await nameless(page)).toEqual([])
    expect(await sideways(page)).toEqual([])
    gpt.process.child.kill('SIGKILL')
    await eventually(() => textOf(page.getByTestId('presence'))).toBe('0 of 2 peers present')
  })

  it('is created with the names of its agents, who need not be configured here', async () => {
    const { server } = await openPeersRoom(database.url, ['claude'])
    const { page } = await openPage({ server }, { path: '/' })
    await page.getByRole('button', { name: 'New room' }).first().click()
    await page.getByTestId('room-name').fill('design')
    await page.getByLabel('in processes of their own (peers)').check()
    await page.getByTestId('room-peers').fill('mistral, gemini')
    await page.getByTestId('create-room').click()
    await page.getByRole('heading', { name: 'design' }).waitFor()
    await eventually(() => textOf(page.getByTestId('peers'))).toMatch(/mistral[\s\S]*gemini/)
    const { rooms } = await server.call<{ rooms: object[] }>('GET', '/api/rooms')
    expect(rooms).toContainEqual(
      expect.objectContaining({ name: 'design', dispatch: 'peers', agents: ['mistral', 'gemini'] }),
    )
  })
})
