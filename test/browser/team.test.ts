/** The team pages: capacity with the queue of runs, and the audit for owners alone. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { rehearsalProject } from '../support/convene.ts'
import { serveTeam } from '../team/served-team.ts'
import { type RunningPostgres, startPostgres } from '../team/start-postgres.ts'
import { textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

let postgres: RunningPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

const script = `- when: { ask: answer }
  after_ms: 3600000
  text: never
`

inBrowser('the team pages', () => {
  it('show processes and their runs, and to owners what people did', async () => {
    const files = rehearsalProject(script, 'project: pages\n')
    const { served, owner, add } = await serveTeam(files, { env: { CONVENE_DATABASE_URL: postgres.url } })
    const ann = await add('ann', 'member')
    const { body: room } = await ann.call<{ id: string }>('POST', '/api/rooms', { name: 'Orders' })
    await ann.call('POST', `/api/rooms/${room.id}/messages`, { text: 'Which queue?', target: 'gpt' })
    await add('vic', 'viewer')
    await owner.call('POST', '/api/users/vic/remove')

    const { page } = await openPage(served, { path: '/team' })
    await eventually(() => textOf(page.getByTestId('workers'))).toMatch(
      /1 run at work[\s\S]*any number of runs[\s\S]*gpt, claude/,
    )
    expect(await textOf(page.locator('main'))).toContain('Nothing waits')
    expect(await nameless(page)).toEqual([])
    await shoot(page, 'capacity')
    await page.getByRole('link', { name: 'Audit' }).click()
    await eventually(() => textOf(page.getByTestId('audit'))).toMatch(
      /you\s+remove user\s+vic[\s\S]*ann\s+post message[\s\S]*ann\s+create room\s+Orders[\s\S]*you\s+add user\s+ann, member/,
    )
    expect(await nameless(page)).toEqual([])
    await shoot(page, 'audit')
    await page.getByRole('searchbox', { name: 'Only what was done by' }).fill('ann')
    await eventually(() => textOf(page.getByTestId('audit'))).not.toContain('remove user')

    const { page: hers } = await openPage(
      { server: { url: served.server.url, token: ann.token } },
      { path: '/team', width: 390, height: 844 },
    )
    await hers.getByText('You are ann, member').waitFor()
    expect(await hers.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    expect(await sideways(hers)).toEqual([])
  })
})

/** Pictures for a person to judge, if a folder for them is named; checks that nothing scrolls sideways. */
async function shoot(page: Awaited<ReturnType<typeof openPage>>['page'], name: string): Promise<void> {
  const folder = process.env.CONVENE_PICTURES
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await sideways(page)).toEqual([])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
  }
}
