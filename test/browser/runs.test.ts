/** A run in a browser: followed live, inspected afterwards, forked, and explained. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { NewEvent, StoredEvent } from '../../src/kernel/events.ts'
import { openRoom } from '../room/open-room.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { createBuildProject, smallSpec, spec } from './build-project.ts'
import { holdAgents } from './held-agents.ts'
import { textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

/** A build runs the tests of a whole tree many times over. */
const wholeBuild = 240_000
const patience = { timeout: 240_000 }

async function serveProject(): Promise<Served> {
  const folder = temporaryFolder()
  createBuildProject(folder)
  return serve({}, { folder })
}

inBrowser('a run, on the page', () => {
  it('is followed live, then inspected by timeline, events, decisions, usage and reasons', {
    timeout: wholeBuild,
  }, async () => {
    const served = await serveProject()
    const { body } = await served.call('POST', '/api/builds', { spec, strategy: 'graph' })
    const { id } = body as { id: string }
    const { page } = await openPage(served, { path: '/runs', expected: /404 .*\/api\/why/ })
    await runLine(page, id).getByRole('link').click()
    await expect.poll(() => bars(page, 'ask').count(), patience).toBeGreaterThan(2)
    expect(await textOf(page.getByTestId('run-status'))).toBe('running')

    await page.getByTestId('question').waitFor(patience)
    await eventually(() => textOf(page.getByTestId('run-status'))).toBe('waiting for you')
    await eventually(() => bars(page, 'question').count()).toBe(1)
    await eventually(() => textOf(newest(page))).toMatch(/^question\.asked/)
    await page.getByRole('textbox', { name: 'Your own answer' }).fill('Count from nought.')
    await page.getByRole('button', { name: 'Answer' }).click()
    await expect.poll(() => textOf(page.getByTestId('run-status')), patience).toBe('done')
    await eventually(() => textOf(newest(page))).toMatch(/^run\.finished[\s\S]*done/)
    expect(await textOf(page.getByTestId('run-header'))).toMatch(/build[\s\S]*21 requests[\s\S]*3 runs below/)

    await checkTimeline(page, served, id)
    await checkEvents(page, served, id)
    await checkDecisions(page)
    await checkCharts(page)
    await askWhy(page, served, id)
    await checkOnPhone(served, id)
    await checkList(page, id)
  })

  it('is stopped and resumed from the list and by key', { timeout: wholeBuild }, async () => {
    const served = await serveProject()
    const agents = holdAgents(served)
    const { body } = await served.call('POST', '/api/builds', { spec: smallSpec })
    const { id } = body as { id: string }
    await eventually(agents.asked).toHaveLength(1)
    const { page } = await openPage(served, { path: '/runs' })
    await eventually(() => textOf(runLine(page, id))).toMatch(/slug[\s\S]*build[\s\S]*running/)
    await page.getByRole('button', { name: 'Stop slug' }).click()
    await eventually(() => runLine(page, id).getAttribute('data-status')).toBe('stopped')
    await page.getByRole('button', { name: 'Resume slug' }).click()
    await eventually(() => runLine(page, id).getAttribute('data-status')).toBe('running')
    await eventually(agents.asked).toHaveLength(2)
    await runLine(page, id).getByRole('link').click()
    await eventually(() => textOf(page.getByTestId('run-status'))).toBe('running')
    await page.keyboard.press('s')
    await eventually(() => textOf(page.getByTestId('run-status'))).toBe('stopped')
    await page.keyboard.press('s')
    await eventually(() => textOf(page.getByTestId('run-status'))).toBe('running')
  })

  it('is forked from one of its steps', async () => {
    const room = await openRoom([{ when: { ask: 'answer' }, text: 'Hello.', repeat: true }])
    const { run } = await room.ask({ text: 'Who is there?', mode: 'single', target: 'gpt' })
    const { page } = await openPage(room.served, { path: `/runs/${run}` })
    await eventually(() => textOf(page.getByTestId('run-header'))).toMatch(/Who is there\?[\s\S]*answer/)
    await page.getByRole('button', { name: 'Fork from a step' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fork from a step' })
    await dialog.getByRole('searchbox', { name: 'Search in the steps' }).fill('answer gpt')
    await dialog.getByRole('radiogroup', { name: 'Step' }).getByText('answer gpt').click()
    expect(await nameless(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Fork from step/ }).click()
    await eventually(() => textOf(page.getByTestId('run-header'))).toContain('forked from')
    expect(page.url()).not.toContain(run)
    await eventually(() => textOf(page.getByTestId('run-status'))).toBe('done')
    await eventually(() => bars(page, 'ask').count()).toBe(1)
  })

  it('with very many events opens with an overview and its end, and loads more on scrolling', {
    timeout: 300_000,
  }, async () => {
    const room = await openRoom([{ when: { ask: 'answer' }, text: 'Hello.', repeat: true }])
    const { run } = await room.ask({ text: 'A long story', mode: 'single', target: 'gpt' })
    await repeatAsk(room.served, run, 6000)
    const { page } = await openPage(room.served, { path: `/runs/${run}` })
    await bars(page, 'ask').first().waitFor()
    await eventually(() => page.getByTestId('newest-line').count()).toBeGreaterThan(5)
    expect(await textOf(page.getByTestId('run-header'))).toMatch(/12\.0k events/)
    // The page downloads its end and perhaps a page more, not the log of five megabytes.
    expect(await bytesOf(page, '/api/events')).toBeLessThan(400_000)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2500)

    await page.getByRole('tab', { name: /Events/ }).click()
    const top = page.getByTestId('event-line').first()
    const last = Number(await top.getAttribute('data-seq'))
    await room.served.app.store.append([note(run, 'now it happens')])
    await eventually(() => top.getAttribute('data-seq')).toBe(String(last + 1))
    const rows = page.getByTestId('event-rows')
    await eventually(async () => {
      await rows.evaluate((each) => each.scrollTo({ top: each.scrollHeight }))
      return Number(await page.getByTestId('event-line').last().getAttribute('data-seq'))
    }).toBeLessThan(last - 500)
    expect(await page.getByTestId('event-line').count()).toBeLessThan(80)
    await room.served.app.store.append([note(run, 'while nobody looks')])
    await page.getByRole('button', { name: '1 new event' }).click()
    await eventually(() => textOf(top)).toContain('while nobody looks')

    await page.getByRole('combobox', { name: 'Order' }).selectOption('oldest')
    await eventually(() => textOf(top)).toContain('A long story')
    await page.getByRole('searchbox', { name: 'Search in the events' }).fill('NOW it happens')
    await eventually(() => page.getByTestId('event-line').count()).toBe(1)
  })
})

async function checkTimeline(page: Page, served: Served, id: string): Promise<void> {
  const agents = await page
    .locator(`[data-testid=timeline-row][data-row=ask][data-run="${id}"]`)
    .evaluateAll((rows) => rows.map((row) => row.firstElementChild?.textContent))
  expect(agents).toEqual(['planner', 'tester', 'coder'])
  expect(await bars(page, 'command').count()).toBeGreaterThan(3)
  expect(await nameless(page)).toEqual([])

  const whole = await textOf(page.getByTestId('window'))
  await page.getByRole('button', { name: 'Zoom in (+)' }).click()
  await page.keyboard.press('+')
  await eventually(() => textOf(page.getByTestId('window'))).toMatch(/ of /)
  await page.keyboard.press('0')
  await eventually(() => textOf(page.getByTestId('window'))).toBe(whole)
  const strip = (await page.getByTestId('time-strip').boundingBox())!
  await page.mouse.move(strip.x + strip.width * 0.1, strip.y + 10)
  await page.mouse.down()
  await page.mouse.move(strip.x + strip.width * 0.4, strip.y + 10, { steps: 4 })
  await page.mouse.up()
  await eventually(() => textOf(page.getByTestId('window'))).toMatch(/ of /)
  await page.getByRole('button', { name: 'Show all (0)' }).click()

  const fold = page.getByRole('button', { name: 'schedule: its lanes' })
  const rows = await page.getByTestId('timeline-row').count()
  await fold.click()
  expect(await fold.getAttribute('aria-expanded')).toBe('false')
  await eventually(() => page.getByTestId('timeline-row').count()).not.toBe(rows + 1)
  await fold.click()

  const [scaffold] = await served.app.store.read({ run: id, types: ['ask.started'], limit: 1 })
  await page
    .getByRole('button', { name: /^scaffold,/ })
    .first()
    .click()
  const chosen = page.getByTestId('chosen')
  await eventually(() => chosen.getByTestId('event-detail').count()).toBe(2)
  expect(await textOf(chosen)).toMatch(/ask\.started[\s\S]*"kind": "scaffold"[\s\S]*ask\.finished[\s\S]*InitWork/)
  expect(page.url()).toContain(`at=${scaffold!.seq}`)
  await page.keyboard.press('Escape')
  await chosen.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Export as Mermaid' }).click()
  const mermaid = await page.getByRole('textbox', { name: 'Mermaid text' }).inputValue()
  expect(mermaid).toMatch(
    /^flowchart LR[\s\S]*retry-policy<br\/>build, done[\s\S]*schedule<br\/>node, done[\s\S]*n1 --> n2/,
  )
  await page.keyboard.press('Escape')
}

async function checkEvents(page: Page, served: Served, id: string): Promise<void> {
  await page.getByRole('tab', { name: /Events/ }).click()
  const lines = page.getByTestId('event-line')
  await eventually(() => lines.first().getAttribute('data-type')).toBe('run.finished')
  await page.getByRole('combobox', { name: 'Type of event' }).selectOption('task.put')
  await eventually(() => types(page)).toEqual(['task.put'])
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('coder')
  await page.getByRole('combobox', { name: 'Type of event' }).selectOption('ask.')
  await eventually(async () => (await types(page)).toSorted()).toEqual(['ask.finished', 'ask.started'])
  const asked = (await served.app.store.read({ run: id, actor: 'coder', types: ['ask.started'] })).length
  await eventually(() => lines.count()).toBe(2 * asked)
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('')
  await page.getByRole('combobox', { name: 'Type of event' }).selectOption('')
  await page.getByRole('searchbox', { name: 'Search in the events' }).fill('classify.ts')
  await page.getByRole('combobox', { name: 'Type of event' }).selectOption('task.put')
  await eventually(() => lines.count()).toBe(0)
  await page.getByText('No matching events.').waitFor()
  await page.getByRole('searchbox', { name: 'Search in the events' }).fill('')
  await lines.first().click()
  const detail = page.getByTestId('event-detail')
  await detail.getByRole('button', { name: 'Prompt' }).click()
  await eventually(() => textOf(detail.getByTestId('prompt'))).toMatch(/Task/)
  expect(await textOf(detail.getByTestId('event-json'))).toContain('"prompt_ref": "sha256:')
  expect(await nameless(page)).toEqual([])
  await detail.getByRole('link', { name: 'Node' }).click()
  await page.getByTestId('node-inspector').waitFor()
  await page.goBack()
  await page.getByTestId('event-detail').waitFor()
}

async function checkDecisions(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /Decisions/ }).click()
  const lines = page.getByTestId('decision-line')
  await eventually(() => textOf(lines.first())).toMatch(/merger → [\s\S]*exit\.routed\s*MergeComplete/)
  expect(await page.getByTestId('decision-line').filter({ hasText: 'Count from nought.' }).textContent()).toContain(
    'person',
  )
  await page.getByRole('combobox', { name: 'Kind of decision' }).selectOption('reply.refused')
  await eventually(() => textOf(lines.first())).toMatch(/implement refused[\s\S]*rule VF4[\s\S]*attempt 1/)
  await page.getByRole('button', { name: 'Replay' }).click()
  const replayed = page.getByTestId('replayed')
  await replayed.waitFor()
  expect(Number(await replayed.getAttribute('data-decisions'))).toBeGreaterThan(10)
  expect(await replayed.getAttribute('data-differences')).toBe('0')
  expect(await textOf(replayed)).toMatch(/replayed from the log: no differences/)
  expect(await nameless(page)).toEqual([])
}

async function checkCharts(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Charts' }).click()
  expect(await textOf(page.getByTestId('tokens-by-agent'))).toMatch(/tester[\s\S]*coder[\s\S]*planner/)
  expect(await textOf(page.getByTestId('cost-by-floor'))).toMatch(/Build[\s\S]*\$0/)
  expect(await textOf(page.getByTestId('calls-over-time'))).toContain('21 requests')
  expect(await textOf(page.getByTestId('merged-so-far'))).toContain('4 merges')
  expect(await textOf(page.getByTestId('retries'))).toMatch(/reply refused: VF4/)
  expect(await nameless(page)).toEqual([])
}

async function askWhy(page: Page, served: Served, id: string): Promise<void> {
  const merges = (await served.app.store.read({ run: id, types: ['merge.completed'] })) as StoredEvent<{
    mergeCommit: string
  }>[]
  const { mergeCommit } = merges.at(-1)!.data
  await page.getByRole('tab', { name: 'Why' }).click()
  await page.getByRole('textbox', { name: /A commit, a line/ }).fill(mergeCommit.slice(0, 12))
  await page.getByRole('button', { name: 'Why?' }).click()
  await page.getByTestId('why-chain').waitFor()
  const stations = await page
    .getByTestId('station')
    .evaluateAll((each) => each.map((one) => (one as HTMLElement).dataset.what))
  expect(stations).toEqual(['asked', 'commit', 'criteria', 'decisions', 'turns', 'run'])
  expect(await textOf(page.getByTestId('why-chain'))).toMatch(
    new RegExp(
      `Commit ${mergeCommit.slice(0, 10)}[\\s\\S]*Criteria[\\s\\S]*Says in one call[\\s\\S]*Decisions[\\s\\S]*exit\\.routed`,
    ),
  )
  expect(await textOf(page.getByTestId('why-cost'))).toMatch(/Cost: \d+ asks with \d+ requests/)
  expect(await nameless(page)).toEqual([])
  await page.locator('[data-what=turns]').getByRole('link').last().click()
  await page.getByTestId('event-detail').waitFor()
  expect(await textOf(page.getByTestId('events'))).toMatch(/Up to event \d+/)

  await page.getByRole('tab', { name: 'Why' }).click()
  await page.getByRole('textbox', { name: /A commit, a line/ }).fill('src/nothing.ts:3')
  const refused = page.waitForResponse(/\/api\/why/)
  await page.getByRole('button', { name: 'Why?' }).click()
  await refused
  await page.getByRole('alert').waitFor()
  expect(await textOf(page.getByRole('alert'))).toContain('src/nothing.ts:3 does not exist')
}

async function checkOnPhone(served: Served, id: string): Promise<void> {
  const { page } = await openPage(served, { path: `/runs/${id}`, width: 390, height: 844, dark: true })
  await bars(page, 'ask').first().waitFor()
  expect(await sideways(page)).toEqual([])
  for (const tab of ['Events', 'Decisions', 'Charts', 'Why']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByTestId(tab.toLowerCase()).waitFor()
    expect(await sideways(page), tab).toEqual([])
  }
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByTestId('event-line').first().click()
  await page.getByRole('dialog').getByTestId('event-json').waitFor()
  expect(await sideways(page)).toEqual([])
  expect(await nameless(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Runs' }).first().click()
  await page.getByTestId('run-line').first().waitFor()
  expect(await sideways(page)).toEqual([])
}

async function checkList(page: Page, id: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Convene' }).getByRole('link', { name: 'Runs' }).click()
  await eventually(() => textOf(runLine(page, id))).toMatch(/retry-policy[\s\S]*build[\s\S]*done[\s\S]*\$0/)
  expect(await page.getByTestId('run-line').count()).toBe(1)
  await page.getByRole('button', { name: 'Runs below retry-policy' }).click()
  await eventually(() => page.getByTestId('run-line').count()).toBe(4)
  await page.getByRole('searchbox', { name: 'Search in the runs' }).fill('ledger')
  await eventually(() => page.getByTestId('run-line').count()).toBe(2)
  await page.getByRole('combobox', { name: 'State' }).selectOption('done')
  await page.getByRole('searchbox', { name: 'Search in the runs' }).fill('nothing of the kind')
  await page.getByText('No matching runs.').waitFor()
  expect(await nameless(page)).toEqual([])
}

/** Copies the events of the one real ask many times. */
async function repeatAsk(served: Served, run: string, times: number): Promise<void> {
  const pattern = await served.app.store.read({ run, types: ['ask.started', 'ask.finished'] })
  const copies = Array.from({ length: times }, (_, index) =>
    pattern.map(({ seq: _seq, id: _id, ts: _ts, ...event }): NewEvent => {
      const data = event.data as { ask: string }
      return { ...event, data: { ...data, ask: `${data.ask}-${index}` } }
    }),
  ).flat()
  for (let from = 0; from < copies.length; from += 2000) await served.app.store.append(copies.slice(from, from + 2000))
}

const note = (run: string, text: string): NewEvent => ({
  type: 'warning.given',
  version: 1,
  stream: `run:${run}`,
  run,
  data: { text },
})

const runLine = (page: Page, id: string) => page.locator(`[data-testid=run-line][data-run="${id}"]`)
const bars = (page: Page, kind: string) => page.locator(`[data-testid=bar][data-kind=${kind}]`)
const newest = (page: Page) => page.getByTestId('newest-line').first()
const types = (page: Page) =>
  page
    .getByTestId('event-line')
    .evaluateAll((lines) => [...new Set(lines.map((line) => (line as HTMLElement).dataset.type))])

/** How much was received from URLs that contain this. */
function bytesOf(page: Page, part: string): Promise<number> {
  return page.evaluate((part) => {
    const loads = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return loads
      .filter(({ name }) => name.includes(part))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  }, part)
}
