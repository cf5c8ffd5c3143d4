/** TR10: another process keeps the database locked, so nothing can be recorded: every page and `convene status` say so. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { type Line, projectFiles } from '../room/open-room.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { run, temporaryFolder } from '../support/convene.ts'
import { freePort } from '../support/free-port.ts'
import { chooseMode, itemBy, say, textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'
import { serveAt } from './server-process.ts'

/** Slow, so that the lock comes in the middle of the answer. */
const script: Line[] = [{ when: { ask: 'answer' }, text: 'A long story, told in whole.', stream_ms: 5000 }]

inBrowser('a run of which nothing can be recorded', () => {
  it('[TR10] is named with its repair until it is parked', { timeout: 240_000 }, async () => {
    const folder = temporaryFolder(projectFiles(script))
    const server = await serveAt(await freePort(), folder)
    onTestFinished(() => server.kill())
    const { page } = await openPage(server)
    await page.getByRole('button', { name: 'Create the first room' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await chooseMode(page, 'Single call')
    await say(page, 'the long one')
    await page.getByTestId('draft').getByText('A long').waitFor()
    const other = new DatabaseSync(join(folder, '.convene/convene.db'))
    other.exec('BEGIN IMMEDIATE')

    const banner = page.getByTestId('unrecorded-banner')
    await eventually(() => textOf(banner)).toMatch(
      /A run has stopped because nothing can be recorded: another process holds a write lock on .* Then: convene resume /,
    )
    expect(await nameless(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await sideways(page)).toEqual([])
    const status = async () => (await run(['status'], { cwd: folder })).stdout
    const [, id] =
      /^run (message-\S+) has stopped because nothing can be recorded: another process holds a write lock on /.exec(
        await status(),
      ) ?? []
    expect(id).toBeDefined()

    other.exec('ROLLBACK')
    other.close()
    await eventually(() => banner.count()).toBe(0)
    expect(await status()).not.toContain('nothing can be recorded')
    expect((await run(['resume', id!], { cwd: folder })).code).toBe(0)
    await itemBy(page, 'gpt').getByText('A long story, told in whole.').waitFor()
  })
})
