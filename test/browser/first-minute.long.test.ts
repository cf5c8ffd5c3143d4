/** A newcomer's first minute: from one click to a merged branch, followed on every page, and then again. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { makeSample } from '../../scripts/sample-project.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { shown, textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

const long = { timeout: 240_000, interval: 100 }
const goal = 'Export orders as a CSV file that opens cleanly in any spreadsheet'

interface Play {
  served: Served
  folder: string
  git(...args: string[]): string
}

async function freshSample(): Promise<Play> {
  const folder = join(temporaryFolder(), 'sample')
  await makeSample(folder, { pace: 0.2 })
  const env = { PATH: process.env.PATH ?? '', HOME: temporaryFolder() }
  const served = await serve({}, { folder, env })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  return { served, folder, git }
}

const strip = (page: Page) => page.getByTestId('ship-strip')
const stageOf = (page: Page) => strip(page).getAttribute('data-stage')

inBrowser('the first minute', () => {
  it('ships the sample goal from one click to the merged branch, on every page, and can be replayed', {
    timeout: 300_000,
  }, async () => {
    const { served, folder, git } = await freshSample()
    expect(git('log', '--format=%s', 'main').split('\n')).toHaveLength(3)
    const { page } = await openPage(served)
    const button = page.getByRole('button', { name: 'Ship the sample goal' })
    await button.waitFor()
    expect(await textOf(page.getByTestId('sample-start'))).toContain(goal)
    expect(await nameless(page)).toEqual([])
    expect(await sideways(page)).toEqual([])

    await button.click()
    await strip(page).waitFor()
    await eventually(async () => (await shown(page)).map(({ sender }) => sender).slice(0, 3)).toEqual([
      'you',
      'gpt',
      'claude',
    ])
    expect((await shown(page))[0]!.text).toContain(goal)
    await expect.poll(() => stageOf(page), long).toBe('plan')
    await strip(page)
      .getByRole('link', { name: /^Planning/ })
      .click()
    await page.getByTestId('plan-status').waitFor()
    await expect.poll(() => stageOf(page), long).toBe('build')
    await strip(page)
      .getByRole('link', { name: /^Building \d of 4/ })
      .click()
    await eventually(() => new URL(page.url()).pathname).toMatch(/^\/features\//)
    await expect.poll(() => strip(page).getAttribute('data-status'), long).toBe('done')
    expect(await textOf(strip(page))).toMatch(/Talk[\s\S]*Plan[\s\S]*Built 4 of 4[\s\S]*Merged[\s\S]*Done/)

    expect(git('log', '--first-parent', '--format=%s', 'main').split('\n')[0]).toBe('Export orders as CSV')
    expect(git('status', '--porcelain')).toBe('')
    execFileSync('node', ['--test'], { cwd: folder, stdio: 'pipe' })
    expect(existsSync(join(folder, 'src/order-row.js'))).toBe(true)
    const retried = (await served.app.store.read({ types: ['verification.failed'] })).map(({ data }) => data)
    expect(retried).toMatchObject([{ issue: 1, attempt: 1 }])

    await strip(page).getByRole('link', { name: 'Done' }).click()
    await eventually(() => new URL(page.url()).pathname).toMatch(/^\/runs\/ship-/)
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    await page.locator('main a[href*="issue-4"]').first().click()
    for (const part of ['columns', 'order-row']) await page.getByText(part, { exact: true }).first().waitFor()

    await strip(page).getByRole('link', { name: 'Talk' }).click()
    const notices = async () => (await shown(page)).filter(({ sender }) => sender === 'router').map(({ text }) => text)
    await eventually(async () => (await notices()).at(-1)).toMatch(/Shipped: 4 of 4 issues, merged into main\./)
    expect((await notices()).filter((text) => /^Done/.test(text))).toHaveLength(4)
    const end = page.getByTestId('sample-end')
    expect(await textOf(end)).toMatch(/convene init[\s\S]*convene ship "what you want" --merge/)
    expect(await nameless(page)).toEqual([])
    expect(await sideways(page)).toEqual([])
    await checkOnPhone(served, page.url())

    const merged = git('rev-parse', 'main')
    await end.getByRole('button', { name: 'Play it again' }).click()
    await eventually(() => git('rev-parse', 'main')).toBe(git('rev-parse', 'start'))
    await expect.poll(() => stageOf(page), long).toBe('plan')
    await strip(page).getByRole('button', { name: 'Stop' }).click()
    await eventually(() => strip(page).getAttribute('data-status')).toBe('stopped')
    await strip(page).getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => strip(page).getAttribute('data-status'), long).toBe('done')
    expect(git('rev-parse', 'main^{tree}')).toBe(git('rev-parse', `${merged}^{tree}`))
    expect(git('rev-parse', 'main')).not.toBe(merged)
  })

  it('accepts no other goal, and is not reset over changes that would be lost', { timeout: 300_000 }, async () => {
    const { served, folder, git } = await freshSample()
    const { page } = await openPage(served, { expected: /status of 400 .*\/api\/ships/ })
    await page.getByRole('textbox', { name: 'Message the room' }).fill('/ship Something else')
    await page.keyboard.press('Enter')
    await eventually(() => textOf(page.getByRole('alert'))).toContain('know one goal only')
    expect(await page.getByRole('textbox', { name: 'Message the room' }).inputValue()).toBe('/ship Something else')
    execFileSync('sh', ['-c', 'echo "// mine" >> src/orders.js'], { cwd: folder })
    const answer = await served.call('POST', '/api/sample/reset')
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'dirty_checkout' } } })
    git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--all', '-m', 'mine')
    expect((await served.call('POST', '/api/sample/reset')).status).toBe(200)
    expect(git('for-each-ref', '--format=%(subject)', 'refs/sample')).toBe('mine')
  })
})

async function checkOnPhone(served: Served, url: string): Promise<void> {
  const { page } = await openPage(served, { path: new URL(url).pathname, width: 390, height: 800 })
  await page.getByTestId('sample-end').waitFor()
  await strip(page).waitFor()
  expect(await sideways(page)).toEqual([])
}
