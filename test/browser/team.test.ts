/** The team pages: capacity with the queue of runs, and people and the audit for owners alone. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { rehearsalProject } from '../support/convene.ts'
import { callerOf, serveTeam } from '../team/served-team.ts'
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
    expect(await textOf(page.locator('main'))).toContain('No run is waiting')
    expect(await nameless(page)).toEqual([])
    await shoot(page, 'capacity')
    await page.getByRole('link', { name: 'Audit' }).click()
    await eventually(() => textOf(page.getByTestId('audit'))).toMatch(
      /Today[\s\S]*you\s+removed user\s+vic[\s\S]*ann\s+posted a message in\s+Orders[\s\S]*ann\s+created room\s+Orders[\s\S]*you\s+added user\s+ann, member/,
    )
    expect(await nameless(page)).toEqual([])
    await shoot(page, 'audit')
    await page.getByRole('combobox', { name: 'Done by' }).selectOption('ann')
    await eventually(() => textOf(page.getByTestId('audit'))).not.toContain('removed user')
    // What happens meanwhile appears by itself.
    await ann.call('POST', '/api/rooms', { name: 'Invoices' })
    await eventually(() => textOf(page.getByTestId('audit'))).toMatch(/created room\s+Invoices/)

    await page.goto(`${served.server.url}/rooms/${room.id}`)
    await page.getByRole('article', { name: /^ann, / }).waitFor()

    const { page: hers } = await openPage(
      { server: { url: served.server.url, token: ann.token } },
      { path: `/rooms/${room.id}`, width: 390, height: 844 },
    )
    await hers.getByRole('article', { name: /^You, / }).waitFor()
    await hers.goto(`${served.server.url}/team`)
    await hers.getByText('You are ann, member').waitFor()
    expect(await hers.getByRole('link', { name: /Audit|People/ }).count()).toBe(0)
    expect(await sideways(hers)).toEqual([])
  })

  it('let an owner add people and give them tokens, and a person choose who sees a room', async () => {
    const files = rehearsalProject(script, 'project: people\n')
    const { served, owner } = await serveTeam(files, { env: { CONVENE_DATABASE_URL: postgres.url } })
    const { page } = await openPage(served, { path: '/team/people', expected: /status of 40[09]/ })
    await page.getByText('No users yet.').waitFor()
    const add = async (name: string, role: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Role').selectOption(role)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await add('vic', 'viewer')
    const token = page.getByTestId('token').locator('code').last()
    await eventually(() => textOf(token)).toMatch(/^cvn_/)
    const first = callerOf(served, 'vic', await textOf(token))
    expect(await first.call('GET', '/api/me')).toMatchObject({ body: { name: 'vic', role: 'viewer' } })
    await add('vic', 'member')
    await eventually(() => textOf(page.getByRole('alert'))).toContain("there is a user 'vic' already")
    await page.getByRole('button', { name: 'New token for vic' }).click()
    await page.getByRole('button', { name: 'Give a new token' }).click()
    await eventually(() => textOf(token)).not.toBe(first.token)
    expect((await first.call('GET', '/api/me')).status).toBe(401)
    const vic = callerOf(served, 'vic', await textOf(token))
    expect(await nameless(page)).toEqual([])
    await shoot(page, 'people')

    await page.goto(`${served.server.url}/`)
    await page.getByRole('button', { name: 'New room' }).first().click()
    expect(await page.getByTestId('room-name').inputValue()).toBe('')
    await page.getByTestId('room-name').fill('Salaries')
    await page.getByLabel('you, project owners and these users:').check()
    await page.getByTestId('room-members').fill('vic, nobody')
    await page.getByTestId('create-room').click()
    await eventually(() => textOf(page.getByRole('alert'))).toContain("there is no user 'nobody'")
    await page.getByTestId('room-members').fill('vic')
    await page.getByTestId('create-room').click()
    await eventually(async () => (await vic.call<{ rooms: object[] }>('GET', '/api/rooms')).body.rooms).toMatchObject([
      { name: 'Salaries', members: ['vic'] },
    ])

    const { page: hers } = await openPage(
      { server: { url: served.server.url, token: vic.token } },
      // After logging out, the page asks once more and learns that it may not.
      { path: '/', expected: /status of 401/ },
    )
    await hers.getByTestId('viewer-banner').waitFor()
    await hers.getByRole('link', { name: 'Salaries' }).click()
    await hers.getByRole('heading', { name: 'Salaries' }).waitFor()
    expect(await hers.getByTestId('composer').count()).toBe(0)
    await hers.goto(`${served.server.url}/team`)
    await hers.getByText('You are vic, viewer').waitFor()
    await hers.getByRole('button', { name: 'Log out' }).click()
    await hers.getByRole('heading', { name: 'This page needs its access token' }).waitFor()

    await page.goto(`${served.server.url}/team/people`)
    await page.getByRole('button', { name: 'Remove vic' }).click()
    await page.getByRole('button', { name: 'Remove vic' }).last().click()
    await page.getByText('No users yet.').waitFor()
    expect((await owner.call<{ users: object[] }>('GET', '/api/users')).body.users).toEqual([])
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
