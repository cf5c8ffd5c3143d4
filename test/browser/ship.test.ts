/** A feature in a browser: greenlit, run, blocked, unblocked and done, with a board that updates by itself. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { nodePanel } from './build-page.ts'
import { holdAgents } from './held-agents.ts'
import { textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'
import { createShipProject, feature, issues, issuesFile } from './ship-project.ts'

/** Four issues are built, one of them four times. */
const wholeFeature = 240_000
const patience = { timeout: 240_000 }

async function serveProject(options: Parameters<typeof createShipProject>[1] = {}): Promise<Served> {
  const folder = join(temporaryFolder(), 'project')
  mkdirSync(folder)
  createShipProject(folder, options)
  return serve({}, { folder })
}

inBrowser('a feature, on the page', () => {
  it('is greenlit and run there; cards move by themselves, one is blocked, unblocked and done', {
    timeout: wholeFeature,
  }, async () => {
    const served = await serveProject()
    const { page } = await openPage(served, { path: '/features' })
    await page.getByRole('heading', { name: 'Ship turns one goal into merged code' }).waitFor()
    expect(await nameless(page)).toEqual([])
    await page.getByRole('button', { name: 'I have issues already' }).click()
    await greenlightOnThePage(page)

    await eventually(() => column(page, 'ready')).toEqual([1, 3, 2, 4, 6])
    expect(await column(page, 'done')).toEqual([5])
    expect(await textOf(card(page, 1))).toMatch(/Backoff schedule\s*next\s*small/)
    expect(await textOf(card(page, 4))).toContain('after #3')
    expect(await textOf(card(page, 5))).toContain('found in git')
    expect(await textOf(card(page, 6))).toMatch(/on aside \([0-9a-f]{7}\), not counted/)
    await eventually(() => textOf(page.getByTestId('sync-status'))).toMatch(/git\s*checked[\s\S]*GitHub\s*off/)
    expect(await page.locator('main img, main script').count()).toBe(0)

    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await eventually(() => stateOf(page, 1)).toBe('IN_PROGRESS')
    await expect.poll(() => stateOf(page, 3), patience).toBe('BLOCKED')
    await expect.poll(() => column(page, 'done'), patience).toEqual([1, 2, 5, 6])
    await eventually(() => stateOf(page, 4)).toBe('SKIPPED')
    await eventually(() => textOf(page.getByTestId('run-failed'))).toContain('#3')
    expect(await textOf(card(page, 3))).toMatch(/blocked after 2 attempts[\s\S]*Diagnosis: bug in the code/)
    expect(await textOf(card(page, 1))).toMatch(/#1 · [0-9a-f]{7}[\s\S]*1 test/)
    expect(await textOf(page.getByTestId('feature-counts'))).toMatch(/6 issues\s*4 done\s*1 blocked/)
    await checkUsage(page)
    expect(await nameless(page)).toEqual([])

    await checkBlockedIssue(page)
    await checkDoneIssue(page)
    await reviewAll(page)
    await checkGraph(page)
    await checkOnPhone(served)

    await card(page, 3).getByRole('button', { name: 'Unblock issue 3' }).click()
    await eventually(() => column(page, 'ready')).toEqual([3, 4])
    await page.getByRole('button', { name: 'Run with options' }).click()
    await page.getByRole('checkbox', { name: /^Merge into main/ }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => column(page, 'done'), patience).toEqual([1, 2, 3, 4, 5, 6])
    await expect.poll(() => textOf(page.getByTestId('feature-header')), patience).toContain('merged into main')
    expect(await page.getByTestId('run-failed').count()).toBe(0)
    expect(await textOf(page.getByTestId('review-button'))).toBe('2 awaiting your review')
    await checkBuilds(page)
  })

  it('stops and resumes where it was, by button and by key, and shows who works on what', {
    timeout: wholeFeature,
  }, async () => {
    const served = await serveProject()
    const agents = holdAgents(served, { kinds: ['implement'] })
    await served.call('POST', `/api/features/${feature}/greenlight`, { issues })
    const { page } = await openPage(served, { path: `/features/${feature}` })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => agents.asked().length, patience).toBe(2)
    await eventually(() => textOf(page.getByTestId('feature-status'))).toBe('running')
    await eventually(() => textOf(card(page, 1))).toMatch(/writing code, attempt 1 of 2\s*C?\s*coder/)
    expect(await textOf(card(page, 1))).toContain('claimed by this run')
    await page.getByRole('button', { name: 'Stop' }).click()
    await eventually(() => textOf(page.getByTestId('feature-status'))).toBe('stopped')
    await page.keyboard.press('s')
    await eventually(() => textOf(page.getByTestId('feature-status'))).toBe('running')
    await expect.poll(() => agents.asked().length, patience).toBe(4)

    await card(page, 1).getByRole('link').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Issue 3' }).waitFor()
    await page.getByRole('link', { name: 'Open its build' }).click()
    await page.getByRole('link', { name: `Issue #3 of ${feature}` }).waitFor()
    await page.goBack()
    await page.keyboard.press('Escape')
    await eventually(() => new URL(page.url()).pathname).toBe(`/features/${feature}`)
    expect(await nameless(page)).toEqual([])
  })

  it('waits while finished work has not been reviewed, and continues after review', {
    timeout: wholeFeature,
  }, async () => {
    const served = await serveProject({ config: { ship: { retries: 1, max_unreviewed: 1 } } })
    await served.call('POST', `/api/features/${feature}/greenlight`, { issues: issues.slice(0, 2) })
    const { page } = await openPage(served, { path: `/features/${feature}` })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => textOf(page.getByTestId('feature-status')), patience).toBe('waiting for you')
    await eventually(() => textOf(page.getByTestId('question'))).toContain('#1 Backoff schedule')
    expect(await stateOf(page, 2)).toBe('READY')
    await page.getByRole('button', { name: 'Mark issue 1 reviewed' }).click()
    await expect.poll(() => stateOf(page, 2), patience).toBe('DONE')
    await eventually(() => page.getByTestId('question').count()).toBe(0)
  })

  it('is made from a goal: planned, split into issues, built and merged, each step linking to its page', {
    timeout: wholeFeature,
  }, async () => {
    const served = await serveProject()
    const { page } = await openPage(served, { path: '/features' })
    await page.getByRole('button', { name: 'Ship a goal' }).click()
    await page.getByRole('textbox', { name: 'Goal' }).fill('Refunds are paid back once, also in production')
    await eventually(() => textOf(page.getByTestId('advice'))).toContain('production access')
    await page.getByRole('radio', { name: /^Rapid/ }).check()
    await page.getByRole('checkbox', { name: /^Merge into the checked-out branch/ }).check()
    await page.getByRole('button', { name: 'Ship it' }).click()
    await expect.poll(() => new URL(page.url()).pathname, patience).toMatch(/^\/features\/refunds-paid-back/)
    await expect.poll(() => page.getByTestId('question').count(), patience).toBe(1)
    expect(await textOf(page.getByTestId('question'))).toMatch(/has 1 issue\. Build it\?.*#1 .* · \d criteri/s)
    await page.getByTestId('question').getByRole('button', { name: 'Build' }).click()
    await expect.poll(() => stage(page, 'plan'), patience).toBe('done')
    await expect.poll(() => stage(page, 'merge'), patience).toBe('done')
    expect(await stage(page, 'build')).toBe('done')
    expect(await column(page, 'done')).toEqual([1])
    expect(await textOf(page.getByTestId('feature-header'))).toContain('Refunds are paid back once')
    expect(execFileSync('git', ['show', 'main:src/refund.js'], { cwd: served.folder, encoding: 'utf8' })).toContain(
      'refund',
    )
    await card(page, 1).getByRole('link').click()
    await page.getByRole('link', { name: 'Decisions behind this issue' }).click()
    await eventually(() => new URL(page.url()).pathname).toMatch(/^\/plans\/ship-[\w-]+%2Fplan\/decisions$/)
    await page.getByRole('button', { name: 'Export as Mermaid' }).click()
    expect(await page.getByRole('textbox', { name: 'Mermaid text' }).inputValue()).toMatch(
      /^flowchart LR\n {2}n1\["1 Setup[\s\S]*n1 --> n2/,
    )
  })

  it('picks up manual changes in git on a sync', { timeout: wholeFeature }, async () => {
    const served = await serveProject()
    await served.call('POST', `/api/features/${feature}/greenlight`, { issues })
    const { page } = await openPage(served, { path: `/features/${feature}/issues/5` })
    await eventually(() => textOf(page.getByTestId('issue-state'))).toBe('done')
    execFileSync('git', ['revert', '--no-edit', 'HEAD'], { cwd: served.folder, stdio: 'pipe' })
    await page.getByTestId('sync-status').getByRole('button', { name: /^git/ }).click()
    await eventually(() => textOf(page.getByTestId('issue-state'))).toBe('ready')
    expect(await textOf(page.getByTestId('issue-history'))).toMatch(/Its commit was reverted: ready again\s*SY1/)
  })
})

async function greenlightOnThePage(page: Page): Promise<void> {
  const send = page.getByRole('button', { name: 'Greenlight' })
  expect(await send.isDisabled()).toBe(true)
  const field = page.getByRole('textbox', { name: 'Issues, as in issues.json' })
  await field.fill('{ "issues": [{ "number": 1 }] }')
  await eventually(() => textOf(page.getByTestId('issues-verdict'))).toContain('issues.0.title')
  await page.locator('input[type=file]').setInputFiles({
    name: 'issues.json',
    mimeType: 'application/json',
    buffer: Buffer.from(issuesFile),
  })
  await eventually(() => textOf(page.getByTestId('issues-verdict'))).toBe('6 issues, 6 criteria: ready.')
  expect(await nameless(page)).toEqual([])
  await send.click()
}

async function checkUsage(page: Page): Promise<void> {
  expect(await textOf(page.getByTestId('chart-spent'))).toMatch(/Spent\s*10 of 40 asks/)
  expect(await page.getByTestId('chart-spent').locator('table tbody tr').count()).toBeGreaterThan(2)
  expect(await textOf(page.getByTestId('chart-done'))).toMatch(/Done per minute\s*4 done/)
  expect(await textOf(page.getByTestId('chart-retries'))).toMatch(/bug in the code\s*1/)
}

async function checkBlockedIssue(page: Page): Promise<void> {
  await card(page, 3).getByRole('link').click()
  const inspector = page.getByTestId('issue-inspector')
  expect(await textOf(inspector.getByTestId('issue-state'))).toBe('blocked')
  expect(await textOf(inspector)).toMatch(/signature-holds[\s\S]*attempts\s+2 of 2[\s\S]*needed by\s*#4/)
  expect(await textOf(inspector)).toContain('the tests do not pass in a clean checkout')
  expect(await titlesOf(page)).toEqual([
    'Greenlit: it may be worked on',
    'Claimed: no other run can work on it',
    'Work started',
    'Context assembled',
    'Attempt 1 failed',
    'Analysis',
    'Attempt 2 started',
    'Attempt 2 failed',
    'No attempts left',
    'Claim released',
  ])
  await inspector.getByRole('link', { name: '#4' }).click()
  await eventually(() => textOf(page.getByTestId('issue-state'))).toBe('skipped')
}

/** The first words of each entry, without the figures after them. */
async function titlesOf(page: Page): Promise<string[]> {
  const lines = await page
    .getByTestId('issue-history')
    .locator('li > span:last-child > span:first-child > span:first-child')
    .allTextContents()
  const begun = /^(Greenlit: it may be worked on|Claimed: no other run can work on it|[^:]*)/
  return lines.filter((line) => !/tests? written|code is written/.test(line)).map((line) => begun.exec(line)![0])
}

async function checkDoneIssue(page: Page): Promise<void> {
  await card(page, 1).getByRole('link').click()
  const inspector = page.getByTestId('issue-inspector')
  await eventually(() => textOf(inspector)).toMatch(/Summary\s*It adds one\. <img src=x/)
  await inspector.getByRole('tab', { name: 'Changes' }).click()
  await eventually(() => textOf(inspector.getByTestId('diff'))).toContain('export const backoff')
  expect(await textOf(inspector)).toMatch(/Exported names\s*src\/backoff\.js/)
  await inspector.getByRole('tab', { name: 'Context' }).click()
  await eventually(() => textOf(inspector.getByTestId('issue-context'))).toContain('Small functions, one file each.')
  expect(await page.locator('main img, main script, aside img, aside script').count()).toBe(0)
  expect(await nameless(page)).toEqual([])
  await page.keyboard.press('Escape')
  await eventually(() => page.getByTestId('issue-inspector').count()).toBe(0)
}

async function reviewAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mark issue 1 reviewed' }).click()
  await eventually(() => textOf(card(page, 1))).toContain('reviewed')
  await eventually(() => textOf(page.getByTestId('review-button'))).toBe('2 awaiting your review')
  await page.getByTestId('review-button').click()
  const queue = page.getByTestId('review-queue')
  await queue.getByRole('button', { name: 'Mark all reviewed' }).click()
  await eventually(() => textOf(queue)).toContain('Everything is reviewed.')
  await page.keyboard.press('Escape')
  await eventually(() => page.getByTestId('review-button').count()).toBe(0)
}

async function checkGraph(page: Page): Promise<void> {
  await page.keyboard.press('g')
  const graph = page.getByTestId('issue-graph')
  await eventually(() => graph.locator('[data-issue]').count()).toBe(6)
  expect(await graph.locator('.react-flow__edge').count()).toBe(3)
  await graph.locator('[data-issue="1"]').focus()
  await page.keyboard.press('ArrowDown')
  await eventually(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.issue)).toBe('2')
  await page.getByRole('button', { name: 'Export as Mermaid' }).click()
  const text = await page.getByRole('textbox', { name: 'Mermaid text' }).inputValue()
  expect(text).toMatch(/^flowchart TB\n {2}n1\["#35;1 Backoff schedule<br\/>done"\]:::ok\n/)
  expect(text).toContain('  n1 --> n2\n')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe(`${feature}.mmd`)
  await page.keyboard.press('Escape')
  expect(await nameless(page)).toEqual([])
  await page.getByText('Board', { exact: true }).click()
  await page.getByTestId('board').waitFor()
}

async function checkOnPhone(served: Served): Promise<void> {
  const { page } = await openPage(served, { path: `/features/${feature}`, width: 390, height: 844, dark: true })
  await eventually(() => page.getByTestId('issue-card').count()).toBe(6)
  await eventually(() => page.getByTestId('chart-spent').count()).toBe(1)
  expect(await sideways(page)).toEqual([])
  expect(await nameless(page)).toEqual([])
  await card(page, 3).getByRole('link').click()
  await page.getByRole('dialog', { name: 'Issue 3' }).waitFor()
  expect(await sideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Graph', { exact: true }).click()
  await eventually(() => page.getByTestId('issue-graph').locator('[data-issue]').count()).toBe(6)
  expect(await sideways(page)).toEqual([])
  await page.getByRole('link', { name: 'Features', exact: true }).click()
  await page.getByTestId('feature-line').waitFor()
  expect(await sideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Ship a goal' }).click()
  await page.getByRole('textbox', { name: 'Goal' }).fill('Refunds in production are paid back once')
  await page.getByRole('button', { name: /^Plan in \w+ mode$/ }).waitFor()
  expect(await sideways(page)).toEqual([])
  await page.getByRole('link', { name: 'Issues I have' }).click()
  await page.getByRole('button', { name: 'Start from an example' }).click()
  expect(await sideways(page)).toEqual([])
}

/** Builds of issues are ordinary builds and name their issue. */
async function checkBuilds(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Build', exact: true }).click()
  const lines = page.getByTestId('build-line')
  await eventually(() => lines.count()).toBe(6)
  await lines.filter({ hasText: 'issue #1 of charge-retries' }).click()
  await nodePanel(page).getByTestId('criteria').waitFor()
  await page.getByRole('link', { name: 'Issue #1 of charge-retries' }).click()
  await eventually(() => textOf(page.getByTestId('issue-state'))).toBe('done')
}

const card = (page: Page, number: number) => page.locator(`[data-testid=issue-card][data-issue="${number}"]`)

const stage = (page: Page, id: string) =>
  page.getByTestId('ship-progress').locator(`[data-stage=${id}]`).getAttribute('data-state')

const stateOf = (page: Page, number: number) => card(page, number).getAttribute('data-state')

const column = (page: Page, id: string) =>
  page
    .locator(`[data-column=${id}] [data-issue]`)
    .evaluateAll((cards) => cards.map((one) => Number((one as HTMLElement).dataset.issue)))
