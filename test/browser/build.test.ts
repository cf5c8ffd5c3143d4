/** A build in a browser: started on the page, followed as exits travel, answered, and inspected in every tab. */
import { execFileSync } from 'node:child_process'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildStream, exitRouted, nodeStarted } from '../../src/build/events.ts'
import { askFinished, askStarted } from '../../src/kernel/ask/ask-events.ts'
import type { NewEvent } from '../../src/kernel/events.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { card, nodePanel, writeSpec } from './build-page.ts'
import { createBuildProject, smallSpec, spec } from './build-project.ts'
import { holdAgents } from './held-agents.ts'
import { textOf } from './room-page.ts'
import { nameless, overlapping, sideways } from './screen-checks.ts'

/** A build runs the tests of a whole tree many times over. */
const wholeBuild = 240_000
const patience = { timeout: 240_000 }

async function serveProject(): Promise<Served> {
  const folder = temporaryFolder()
  createBuildProject(folder)
  return serve({}, { folder })
}

inBrowser('a build, on the page', () => {
  it('can be started, followed, answered, merged and inspected in every tab', {
    timeout: wholeBuild,
  }, async () => {
    const served = await serveProject()
    const { page } = await openPage(served, { path: '/builds' })
    await page.getByRole('heading', { name: /A build turns a spec into a branch/ }).waitFor()
    await eventually(() => textOf(page.getByRole('main'))).toContain('convene build spec.yaml')
    await page.getByRole('button', { name: 'Write a spec' }).click()

    await writeSpec(page, 'id: retry policy\n')
    await eventually(() => textOf(page.getByTestId('spec-problems'))).toMatch(
      /line 1\s+id\s+the id cannot name a branch/,
    )
    expect(await page.getByRole('button', { name: 'Start the build' }).isDisabled()).toBe(true)
    await writeSpec(page, JSON.stringify(spec, null, 2))
    await eventually(() => textOf(page.getByRole('main'))).toContain('4 criteria: graph')
    await page.getByRole('button', { name: 'Start the build' }).click()

    await card(page, 'retry-policy').waitFor(patience)
    const watched = await watchGraph(page)
    const question = page.getByTestId('question')
    await question.waitFor(patience)
    expect(await textOf(page.getByTestId('build-status'))).toBe('waiting for you')
    expect(await textOf(question)).toMatch(/first attempt is number 0 or number 1[\s\S]*Say which, and go on/)
    expect(await page.getByTestId('waiting-count').textContent()).toContain('1')

    await page.getByRole('link', { name: 'Room' }).click()
    await eventually(() => textOf(page.getByTestId('waiting-banner'))).toMatch(
      /A build needs your answer\s+retry-policy cannot continue/,
    )
    await page.getByTestId('waiting-banner').getByRole('link', { name: 'Answer' }).click()
    await page.getByTestId('node-inspector').getByTestId('question').waitFor()
    expect(await page.getByTestId('waiting-banner').count()).toBe(0)

    const asked = page.getByRole('main').getByTestId('question')
    await asked.getByRole('textbox', { name: 'Your own answer' }).fill('Count from nought.')
    await asked.getByRole('button', { name: 'Answer' }).click()
    await page.getByTestId('question').first().waitFor({ state: 'detached' })
    await eventually(() => page.getByTestId('waiting-count').count()).toBe(0)
    await expect.poll(() => textOf(page.getByTestId('build-status')), patience).toBe('done')

    const ids = ['retry-policy', 'retry-policy/schedule', 'retry-policy/classifier', 'retry-policy/ledger']
    for (const id of ids) {
      expect(await card(page, id).getAttribute('data-state')).toBe('merged')
      expect(await card(page, id).locator('[data-rail]').getAttribute('data-rail')).toBe('done done done done done')
    }
    const { states, lights, forecasts, edges } = await watched()
    expect(states['retry-policy/schedule']).toEqual(expect.arrayContaining(['working', 'checking', 'merged']))
    expect(states['retry-policy/ledger']![0]).toBe('planned')
    expect(states['retry-policy']).toEqual(expect.arrayContaining(['working', 'waiting', 'question']))
    expect(lights).toBeGreaterThan(0)
    expect(forecasts).toContain('classifier and schedule would conflict in src/index.ts')
    expect(edges).toContain('tie-dependency')
    const branch = await textOf(page.getByTestId('build-header').locator('code'))
    expect(branch).toBe('convene/retry-policy/main')
    execFileSync('git', ['rev-parse', '--verify', '-q', `refs/heads/${branch}`], { cwd: served.folder })

    await page.getByTestId('graph').getByRole('button', { name: 'Export as Mermaid' }).click()
    expect(await page.getByRole('textbox', { name: 'Mermaid text' }).inputValue()).toContain('schedule<br/>merged')
    await page.keyboard.press('Escape')
    await inspectEveryTab(page)
    await checkOnPhone(served, page.url())
    await checkList(page)
  })

  it('stops at once and resumes where it was, by button and by key', { timeout: wholeBuild }, async () => {
    const served = await serveProject()
    const agents = holdAgents(served)
    const id = await begin(served)
    const { page } = await openPage(served, { path: `/builds/${id}` })
    await eventually(() => textOf(page.getByTestId('build-header'))).toContain('solo')
    await eventually(() => nodePanel(page).getAttribute('data-state')).toBe('working')
    await page.getByRole('button', { name: 'Stop' }).click()
    await eventually(() => textOf(page.getByTestId('build-status'))).toBe('stopped')
    await eventually(() => nodePanel(page).getAttribute('data-state')).toBe('halted')
    await page.getByRole('button', { name: 'Resume' }).click()
    await eventually(() => textOf(page.getByTestId('build-status'))).toBe('building')
    await eventually(agents.asked).toHaveLength(2)
    await page.keyboard.press('s')
    await eventually(() => textOf(page.getByTestId('build-status'))).toBe('stopped')
    await page.keyboard.press('s')
    await eventually(() => textOf(page.getByTestId('build-status'))).toBe('building')
    await eventually(agents.asked).toHaveLength(3)
    for (const stopped of [1, 2]) await expect(agents.letSpeak('coder'), `stop ${stopped}`).rejects.toThrow()
    await agents.letSpeak('coder')
    const rail = () => nodePanel(page).locator('[data-rail]').getAttribute('data-rail')
    await expect.poll(rail, patience).toBe('done here todo')
    await agents.letSpeak('tester')
    await expect.poll(() => textOf(page.getByTestId('build-status')), patience).toBe('done')
    expect(await rail()).toBe('done done done')
    await page.getByTestId('build-overview').getByText('git merge convene/slug/main').waitFor()
    await inspectOnlyNode(served, page)
  })

  it('keeps the end of names that begin alike, and tells tokens from an unknown cost', async () => {
    const served = await serveProject()
    const names = ['solo', 'graph'].map((end) => `stringify-accepts-an-option-6dcfa9-${end}`)
    const builds = await Promise.all(names.map((id) => begin(served, { ...smallSpec, id })))
    const ended = () => served.app.store.read({ types: ['build.finished'] })
    await expect.poll(ended, patience).toHaveLength(2)
    await served.app.store.append(unpriced(builds[0]!, names[0]!))
    const { page } = await openPage(served, { path: `/builds/${builds[0]}` })
    const links = page.getByRole('navigation', { name: 'Builds' }).getByRole('link')
    await eventually(() => links.count()).toBe(2)
    for (const end of ['-solo', '-graph'])
      await eventually(() => isInside(links.filter({ hasText: end }), end)).toBe(true)
    const overview = page.getByTestId('build-overview')
    await eventually(() => textOf(overview.getByTestId('cost-unknown'))).toBe(
      'Cost unknown: set price in the configuration of the agents.',
    )
    expect(await textOf(page.getByTestId('build-header'))).toMatch(/\d+\.\dk tokens/)
    expect(await textOf(page.locator('body'))).not.toMatch(/(?<!Cost )unknown/)
    expect(await overlapping(overview.getByRole('table'))).toEqual([])
  })

  it('shows sixty nodes at once, each in view and reachable by keyboard', { timeout: wholeBuild }, async () => {
    const served = await serveProject()
    holdAgents(served)
    const id = await begin(served)
    const { page } = await openPage(served, { path: `/builds/${id}` })
    await nodePanel(page).waitFor()
    const place = { stream: buildStream(id), run: id }
    const path = (index: number) => ['slug', `part-${index}`]
    const parts = Array.from({ length: 60 }, (_, index) => ({ node: `part-${index}`, path: path(index) }))
    const about = { description: 'A part', criteria: [], depends_on: [], branch: 'b', base: 'c' }
    await served.app.store.append(parts.map((part) => nodeStarted.create(place, { ...part, ...about })))
    await eventually(() => page.getByTestId('node-card').count()).toBe(61)
    await eventually(() => outside(page)).toEqual([])
    const envelope = {
      type: 'INIT_WORK',
      severity: 'INFO',
      route_hint: 'tests',
      payload_ref: `sha256:${'0'.repeat(64)}`,
    } as const
    const routes = parts.map((part) =>
      exitRouted.create(place, {
        ...part,
        from: 'scaffold',
        exit: 'InitWork',
        to: ['tdd:write-tests'],
        action: 'spawn',
        envelope,
      }),
    )
    await served.app.store.append(routes)
    await eventually(() => textOf(card(page, 'slug/part-59'))).toContain('about to start')
    await card(page, 'slug').focus()
    await page.keyboard.press('ArrowDown')
    await eventually(() => focused(page)).toBe('slug/part-0')
    await page.keyboard.press('ArrowRight')
    await eventually(() => focused(page)).toBe('slug/part-1')
    await page.keyboard.press('Enter')
    await page
      .getByTestId('node-inspector')
      .getByRole('heading', { name: /part-1/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('node-inspector').waitFor({ state: 'detached' })
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('List').click()
    await eventually(() => page.getByTestId('node-row').count()).toBe(61)
    expect(await nameless(page)).toEqual([])
  })
})

/** The page of a build of one node shows at once what a person came for. */
async function inspectOnlyNode(served: Served, page: Page): Promise<void> {
  expect(await page.getByTestId('graph').count()).toBe(0)
  expect(await page.getByRole('radiogroup', { name: 'Show as' }).count()).toBe(0)
  expect(await textOf(nodePanel(page).getByTestId('criteria'))).toMatch(
    /Letters become lower case\s+makes letters lower case\s+passing/,
  )
  expect(await textOf(nodePanel(page).getByTestId('reviews'))).toMatch(
    /tester\s+approved[\s\S]*The test notices an upper case/,
  )
  await eventually(() => textOf(nodePanel(page).getByTestId('changes'))).toContain('return title.toLowerCase()')
  expect(await textOf(page.getByTestId('build-overview'))).toMatch(
    /Solo: as asked\.[\s\S]*coder wrote tests and code; tester reviewed it\./,
  )
  expect(await nameless(page)).toEqual([])
  const phone = await openPage(served, { path: new URL(page.url()).pathname, width: 390, height: 844 })
  await nodePanel(phone.page).getByTestId('reviews').waitFor()
  await phone.page.getByTestId('build-overview').getByText('git merge convene/slug/main').waitFor()
  expect(await sideways(phone.page)).toEqual([])
}

async function inspectEveryTab(page: Page): Promise<void> {
  await card(page, 'retry-policy/schedule').click()
  const inspector = page.getByTestId('node-inspector')
  await inspector.getByRole('heading', { name: /schedule/ }).waitFor()
  expect(await textOf(inspector.getByTestId('criteria'))).toMatch(
    /waits longer each time\s+passing[\s\S]*gives up after the third\s+passing/,
  )
  expect(await textOf(inspector)).toContain('src/schedule.ts')
  expect(await nameless(page)).toEqual([])

  await inspector.getByRole('tab', { name: /Attempts/ }).click()
  const first = inspector.getByRole('article', { name: 'Write code, attempt 1 of 5' })
  expect(await textOf(first)).toMatch(/refused[\s\S]*VF4\s+the tests do not pass/)
  await first.getByRole('button', { name: 'Prompt' }).click()
  await eventually(() => textOf(first.getByTestId('prompt'))).toContain('src/schedule.ts')
  const plan = inspector.getByRole('article', { name: 'Plan, attempt 1 of 5' })
  await plan.getByRole('button', { name: 'Exit: InitWork' }).click()
  await eventually(() => textOf(plan.getByTestId('exit'))).toMatch(/interface file[\s\S]*waits longer each time/)
  expect(await nameless(page)).toEqual([])

  await inspector.getByRole('tab', { name: /Evidence/ }).click()
  const red = inspector.getByRole('article', { name: /they must fail/ })
  expect(await textOf(red)).toMatch(/2 failing, as expected[\s\S]*test\/schedule\.test\.ts[\s\S]*no sandbox/)
  await red.getByRole('button', { name: /Output/ }).click()
  await eventually(() => textOf(red.getByTestId('output'))).toContain('not implemented')

  await inspector.getByRole('tab', { name: /Changes/ }).click()
  const diff = inspector.getByRole('article', { name: /^Code/ }).getByTestId('diff')
  await eventually(() => textOf(diff)).toContain('const waits = [1, 6, 24]')
  await eventually(() => diff.locator('.hljs-keyword').count()).toBeGreaterThan(2)
  await inspector.getByText('Split').click()
  await eventually(() => diff.locator('.hljs-keyword').count()).toBeGreaterThan(2)
  expect(await nameless(page)).toEqual([])

  await inspector.getByRole('tab', { name: /Merge/ }).click()
  expect(await textOf(inspector.getByTestId('merge'))).toMatch(
    /additive[\s\S]*nextAttempt[\s\S]*rebased without an agent/,
  )
  await card(page, 'retry-policy/ledger').click()
  await inspector.getByRole('tab', { name: /Changes/ }).click()
  const hostile = inspector.getByRole('article', { name: /^Code/ }).getByTestId('diff')
  await eventually(() => hostile.getByRole('region', { name: 'NOTES' }).count()).toBe(1)
  for (const shape of ['Unified', 'Split']) {
    await inspector.getByText(shape, { exact: true }).click()
    await eventually(() => textOf(hostile)).toContain('</script> two')
    expect(await inspector.locator('img, script').count()).toBe(0)
  }
  await page.keyboard.press('Escape')
  await inspector.waitFor({ state: 'detached' })
}

async function checkOnPhone(served: Served, address: string): Promise<void> {
  const { page } = await openPage(served, { path: new URL(address).pathname, width: 390, height: 844, dark: true })
  await eventually(() => page.getByTestId('node-row').count()).toBe(4)
  expect(await sideways(page)).toEqual([])
  await page.locator('[data-testid=node-row][data-node="retry-policy/schedule"]').click()
  const sheet = page.getByRole('dialog', { name: 'Node retry-policy/schedule' })
  await sheet.waitFor()
  const box = (await sheet.boundingBox())!
  expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, 390, 844])
  for (const tab of ['Attempts', 'Evidence', 'Changes', 'Merge', 'Overview']) {
    await sheet.getByRole('tab', { name: tab }).click()
    await sheet.getByRole('tabpanel', { name: tab }).waitFor()
    expect(await sideways(page)).toEqual([])
  }
  expect(await nameless(page)).toEqual([])
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Graph').click()
  await eventually(() => page.getByTestId('node-card').count()).toBe(4)
  await eventually(() => outside(page)).toEqual([])
  await page.getByRole('link', { name: 'Builds', exact: true }).click()
  await page.getByTestId('build-line').waitFor()
  expect(await sideways(page)).toEqual([])
  await page.getByRole('button', { name: 'New build' }).click()
  await page.getByRole('heading', { name: 'New build' }).waitFor()
  expect(await sideways(page)).toEqual([])
  expect(await nameless(page)).toEqual([])
}

async function checkList(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Build', exact: true }).click()
  const line = page.getByTestId('build-line')
  await eventually(() => line.getAttribute('data-status')).toBe('done')
  expect(await textOf(line)).toMatch(/retry-policy[\s\S]*done[\s\S]*graph[\s\S]*4 of 4 nodes merged/)
  expect(await nameless(page)).toEqual([])
}

/** A reply of an agent without a price. */
function unpriced(run: string, spec: string): NewEvent[] {
  const place = { stream: buildStream(run), run }
  const asked = { ask: 'unpriced', kind: 'implement', agent: 'coder', attempt: 1, rehearsal: false } as const
  const about = { ...asked, node: spec, path: [spec] }
  const usage = { inputTokens: 16_000, outputTokens: 800, usd: null }
  return [
    askStarted.create(place, { ...about, reserved: { tokens: 0, usd: null } }),
    askFinished.create(place, { ...about, exit: 'TestsPassed', usage, tries: 1, milliseconds: 5 }),
  ]
}

/** Whether the last piece of a name is within the box of its line, and so not cut off. */
function isInside(line: Locator, end: string): Promise<boolean> {
  return line.evaluate((element, text) => {
    const last = [...element.querySelectorAll('span')].findLast((each) => each.textContent?.endsWith(text))!
    const [inner, outer] = [last, last.parentElement!].map((each) => each.getBoundingClientRect())
    return inner!.left > outer!.left && inner!.right <= outer!.right + 1
  }, end)
}

async function begin(served: Served, wanted = smallSpec): Promise<string> {
  const { body } = await served.call('POST', '/api/builds', { spec: wanted, strategy: 'solo' })
  return (body as { id: string }).id
}

const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.node)

/** Cards that are not inside the graph's frame. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const frame = document.querySelector('[data-testid=graph]')!.getBoundingClientRect()
    return [...document.querySelectorAll<HTMLElement>('[data-testid=node-card]')]
      .filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect()
        return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom
      })
      .map(({ dataset }) => dataset.node!)
  })
}

interface Watched {
  /** Every state in which the page showed a node, in order. */
  states: Record<string, string[]>
  /** How often an exit was animated along an edge. */
  lights: number
  forecasts: string[]
  edges: string[]
}

/** Records everything the graph shows from now on. */
async function watchGraph(page: Page): Promise<() => Promise<Watched>> {
  await page.evaluate(() => {
    const seen = {
      states: {} as Record<string, string[]>,
      lit: new Set<Element>(),
      forecasts: [] as string[],
      edges: [] as string[],
    }
    const note = (list: string[], text: string | null | undefined) => {
      if (text && !list.includes(text)) list.push(text)
    }
    const look = () => {
      for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-testid=node-card]')) {
        seen.states[dataset.node!] ??= []
        note(seen.states[dataset.node!]!, dataset.state)
      }
      for (const light of document.querySelectorAll('.tie-light')) seen.lit.add(light)
      for (const each of document.querySelectorAll('[data-testid=forecast] button'))
        note(seen.forecasts, each.getAttribute('aria-label'))
      for (const each of document.querySelectorAll('.tie')) for (const name of each.classList) note(seen.edges, name)
    }
    look()
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
    Object.assign(window, { seenOfGraph: seen })
  })
  return () =>
    page.evaluate(() => {
      const { states, lit, forecasts, edges } = (window as unknown as { seenOfGraph: { lit: Set<Element> } & Watched })
        .seenOfGraph
      return { states, lights: lit.size, forecasts, edges }
    })
}
