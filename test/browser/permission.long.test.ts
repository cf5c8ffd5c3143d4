/** A coding agent asks for permission: a person answers on the page, and the agent goes on. */
import { expect, it } from 'vitest'
import { askingCoder, wanted, working } from '../build/asking-coder.ts'
import { specOf } from '../build/project.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { serve } from '../support/server.ts'
import { textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

inBrowser('a request for permission', () => {
  it('[AG2] is answered on the page of the build, and the log says who decided', { timeout: 240_000 }, async () => {
    const project = askingCoder({
      permission: wanted('npm run deploy', 'Deploy it'),
      ifAllowed: [{ say: 'deployed' }],
      ifDenied: [{ permission: wanted('npm test', 'Run the tests'), ifAllowed: working }],
    })
    const served = await serve({}, { folder: project.folder, env: { PATH: process.env.PATH! } })
    const { body } = await served.call('POST', '/api/builds', { spec: specOf('inc'), strategy: 'solo' })
    const { id: run } = body as { id: string }
    const { page } = await openPage(served, { path: `/builds/${run}` })
    const question = page.getByRole('main').getByTestId('question')
    await eventually(() => textOf(question)).toMatch(/coder asks for permission: Deploy it[\s\S]*npm run deploy/)
    // Only the choices count: there is no field for other words.
    expect(await question.getByRole('textbox').count()).toBe(0)
    expect(await nameless(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await sideways(page)).toEqual([])
    await question.getByRole('button', { name: 'Deny' }).click()
    await eventually(() => textOf(question)).toContain('Run the tests')
    await question.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => textOf(page.getByTestId('build-status')), { timeout: 200_000 }).toBe('done')

    const events = await served.app.store.read({ run, types: ['permission.resolved'] })
    expect(events.map(({ data }) => data)).toMatchObject([
      { decision: 'deny', by: 'you' },
      { decision: 'allow', by: 'you' },
    ])
  })
})
