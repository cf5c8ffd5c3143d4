/** A page whose server is killed and restarted: nothing is lost, nothing appears twice. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Line, projectFiles } from '../room/open-room.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/convene.ts'
import { freePort } from '../support/free-port.ts'
import { nodePanel, writeSpec } from './build-page.ts'
import { createBuildProject, smallSpec } from './build-project.ts'
import { chooseMode, composer, itemBy, say, speakers, textOf } from './room-page.ts'
import { absent, type ServerProcess, serveAt } from './server-process.ts'

const patience = { timeout: 240_000 }

const script: Line[] = [
  { when: { ask: 'answer', contains: 'into the void' }, text: 'I am back.', repeat: true },
  { when: { ask: 'answer', contains: 'the long one' }, text: 'A long story, told in whole.', stream_ms: 5000 },
  { when: { ask: 'answer' }, text: 'I was there before.' },
]

inBrowser('a server that goes and comes', () => {
  it('reports the lost connection, keeps its content, and catches up without loss or repeats', async () => {
    const folder = temporaryFolder(projectFiles(script))
    const port = await freePort()
    const server = await serveAt(port, folder)
    const { page } = await openPage(server, { expected: absent })
    await page.getByRole('button', { name: 'Create the first room' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await chooseMode(page, 'Single call')
    await say(page, 'the first')
    await itemBy(page, 'gpt').getByText('I was there before.').waitFor()
    await say(page, 'the long one')
    await page.getByTestId('draft').getByText('A long').waitFor()

    server.kill()
    const banner = page.getByTestId('connection-banner')
    await eventually(() => textOf(banner)).toMatch(/reconnecting/)
    expect(await textOf(itemBy(page, 'gpt'))).toContain('I was there before.')
    await say(page, 'said into the void')
    await eventually(() => textOf(page.getByRole('alert'))).toMatch(/Not sent/)
    expect(await composer(page).inputValue()).toBe('said into the void')

    const again = await serveAt(port, folder)
    expect(again.server.token).toBe(server.server.token)
    await banner.waitFor({ state: 'detached' })
    await itemBy(page, 'gpt').getByText('A long story, told in whole.').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await itemBy(page, 'gpt').getByText('I am back.').waitFor()
    expect(await speakers(page)).toEqual(['you', 'gpt', 'you', 'gpt', 'you', 'gpt'])
    expect(await page.getByTestId('draft').count()).toBe(0)
    expect(await callIds(page)).toEqual(await transcript(again, page))

    await page.reload()
    await eventually(() => callIds(page)).toEqual(await transcript(again, page))
  })

  it('continues a build after the server was killed and restarted, without loss or repeats', patience, async () => {
    const folder = temporaryFolder()
    createBuildProject(folder, { paceMs: 1500 })
    const port = await freePort()
    const first = await serveAt(port, folder)
    const { page } = await openPage(first, { path: '/builds/new', expected: absent })
    await writeSpec(page, JSON.stringify(smallSpec))
    await page.getByRole('button', { name: 'Start the build' }).click()
    await eventually(() => nodePanel(page).getAttribute('data-state')).toBe('working')
    first.kill()
    await page.getByTestId('connection-banner').waitFor()
    expect(await nodePanel(page).getAttribute('data-state')).toBe('working')
    await serveAt(port, folder)
    await page.getByTestId('connection-banner').waitFor({ state: 'detached' })
    await expect.poll(() => textOf(page.getByTestId('build-status')), patience).toBe('done')
    const shown = await textOf(page.getByTestId('build-overview'))
    await page.reload()
    await eventually(() => textOf(page.getByTestId('build-status'))).toBe('done')
    expect(await textOf(page.getByTestId('build-overview'))).toBe(shown)
  })

  it('says where to get the access token if it is missing', async () => {
    const { server } = await serveAt(await freePort(), temporaryFolder(projectFiles(script)))
    const { page, context } = await openPage({ server }, { expected: /401/ })
    await page.getByRole('button', { name: 'Create the first room' }).waitFor()
    await context.clearCookies()
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'This page needs its access token' }).waitFor()
  })
})

function callIds(page: Page): Promise<(string | undefined)[]> {
  return page.getByTestId('item').evaluateAll((items) => (items as HTMLElement[]).map(({ dataset }) => dataset.callId))
}

/** The messages that the server has for the open room. */
async function transcript({ server }: ServerProcess, page: Page): Promise<string[]> {
  const room = /\/rooms\/([^/]+)/.exec(page.url())![1]
  const response = await fetch(`${server.url}/api/rooms/${room}/transcript`, {
    headers: { authorization: `Bearer ${server.token}` },
  })
  const { items } = (await response.json()) as { items: { call_id: string }[] }
  // The router's first call repeats the message, so the page does not show it.
  return items.filter(({ call_id }) => !call_id.endsWith('/first')).map(({ call_id }) => call_id)
}
