/** A plan in a browser: started on the page, answered, sent back, and never shown as complete while degraded. */
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { holdAgents } from './held-agents.ts'
import { planProjectFiles } from './plan-project.ts'
import { textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

const wholePlan = 180_000
const patience = { timeout: 240_000 }
const goal = 'Parcels that come back are sorted the day they arrive, also in production'

async function serveProject(files: Record<string, string>): Promise<Served> {
  const folder = temporaryFolder(files)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@localhost')
  git('add', '-A')
  git('commit', '-q', '-m', 'A depot')
  return serve({}, { folder })
}

inBrowser('a plan, on the page', () => {
  it('can be started, answered, sent back and finished there, and shows what is missing everywhere', {
    timeout: wholePlan,
  }, async () => {
    const served = await serveProject(planProjectFiles())
    const { page } = await openPage(served, { path: '/plans' })
    await page.getByRole('heading', { name: /A plan turns one sentence into issues/ }).waitFor()
    expect(await nameless(page)).toEqual([])
    await page.getByRole('button', { name: 'Describe a goal' }).click()
    await startOnThePage(page)

    const questions = page.getByTestId('question')
    await expect.poll(() => questions.count(), patience).toBeGreaterThan(0)
    await eventually(() => textOf(page.getByTestId('plan-status'))).toBe('waiting for you')
    expect(await stateOf(page, '3')).toBe('question')
    expect(await textOf(page.getByTestId('specify-gate'))).toMatch(/5 \/ 10\s*not passed[\s\S]*Weakest: scope/)
    expect(await points(page)).toEqual([2, 0, 1, 1, 1])
    expect(await textOf(page.getByTestId('shortfalls'))).toMatch(
      /Research: 2 of 3 answered; researcher-risk is missing/,
    )
    expect(await nameless(page)).toEqual([])
    await answerFromElsewhere(page)

    const disagreement = (question: string) =>
      page.getByTestId('question').filter({ hasText: `The agents disagree on: ${question}` })
    for (const question of ['Where do parcels wait', 'Who prints the label'])
      await disagreement(question).waitFor(patience)
    expect(await page.getByTestId('question').count()).toBe(2)
    await page.getByRole('link', { name: 'Overview' }).click()
    await eventually(() => points(page)).toEqual([2, 2, 1, 1, 1])
    expect(await textOf(page.getByTestId('specify-progress'))).toContain('scope 0 → 2, now 7/10')
    expect(await textOf(page.getByTestId('convergence'))).toMatch(/Convergence\s+low/)
    expect(await textOf(page.getByTestId('stands'))).toMatch(
      /Disagreed[\s\S]*at the door[\s\S]*software-architect-minimal/,
    )
    await disagreement('Where do parcels wait').getByRole('button', { name: 'On a shelf' }).click()
    await disagreement('Who prints the label').getByRole('button', { name: 'The clerk' }).click()

    await page.getByRole('heading', { name: /The expert review found 1 critical problem/ }).waitFor(patience)
    expect(await textOf(page.getByTestId('returns'))).toMatch(
      /Validation → Architecture[\s\S]*architecture and validation done again[\s\S]*Rain: parcels/,
    )
    expect(await textOf(card(page, '4'))).toContain('pass 2')
    await page.getByTestId('question').getByRole('button', { name: 'Override' }).click()
    await page.getByRole('heading', { name: 'Who empties the shelf on Sundays?' }).waitFor(patience)
    await page.getByTestId('question').getByRole('button', { name: 'Leave it open' }).click()
    await expect.poll(() => textOf(page.getByTestId('plan-status')), patience).toBe('done, degraded')
    await eventually(() => page.getByTestId('waiting-count').count()).toBe(0)

    await checkOverview(page)
    await checkPhases(page)
    await checkDecisions(page)
    await checkIssues(page)
    await checkOnPhone(served, page.url())
    await checkList(page)
  })

  it('stops at once and resumes where it was, by button and by key', { timeout: wholePlan }, async () => {
    const served = await serveProject({ 'README.md': '# Empty\n' })
    const agents = holdAgents(served)
    const { body } = await served.call('POST', '/api/plans', { goal, mode: 'rapid' })
    const { id, plan } = body as { id: string; plan: string }
    await eventually(async () => (await served.call('GET', `/api/plans/${plan}`)).status).toBe(200)
    const { page } = await openPage(served, { path: `/plans/${plan}` })
    await eventually(() => stateOf(page, '2')).toBe('working')
    expect(new URL(page.url()).pathname).toBe(`/plans/${id}`)
    expect(await stateOf(page, '6')).toBe('left-out')
    await eventually(() => agents.asked().length).toBe(3)
    await page.getByRole('button', { name: 'Stop' }).click()
    await eventually(() => textOf(page.getByTestId('plan-status'))).toBe('stopped')
    expect(await textOf(card(page, '2'))).toContain('not finished')
    await page.keyboard.press('s')
    await eventually(() => textOf(page.getByTestId('plan-status'))).toBe('planning')
    await eventually(() => agents.asked().length).toBe(6)
    expect(await nameless(page)).toEqual([])
    await card(page, '1').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'Research' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('plan-overview').waitFor()
  })
})

async function startOnThePage(page: Page): Promise<void> {
  const start = page.getByRole('button', { name: 'Start the plan' })
  expect(await start.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Goal' }).fill(goal)
  await eventually(() => textOf(page.getByTestId('advice'))).toMatch(/production access[\s\S]*advanced mode/)
  const rapid = await textOf(page.locator('[data-testid=mode][data-mode=rapid]'))
  const complete = await textOf(page.locator('[data-testid=mode][data-mode=complete]'))
  const calls = (text: string) => Number(/~(\d+) asks/.exec(text)?.[1])
  expect(calls(complete)).toBeGreaterThan(calls(rapid))
  await page.getByRole('button', { name: 'Plan in advanced mode' }).click()
  expect(await page.getByRole('radio', { name: /^Advanced/ }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: /^Standard/ }).check()
  expect(await nameless(page)).toEqual([])
  await start.click()
}

/** Follows the banner from another page, then answers every question in place. */
async function answerFromElsewhere(page: Page): Promise<void> {
  await eventually(() => page.getByTestId('waiting-count').count()).toBe(1)
  await page.getByRole('link', { name: 'Room' }).click()
  await eventually(() => textOf(page.getByTestId('waiting-banner'))).toMatch(
    /questions waiting for you|A plan needs your answer/,
  )
  await page.getByTestId('waiting-banner').getByRole('link', { name: 'Answer' }).click()
  await page.getByRole('article', { name: 'Clarification' }).waitFor()
  expect(await page.getByTestId('waiting-banner').count()).toBe(0)
  const asked = page.getByTestId('question').filter({ hasText: 'about its scope' })
  for (let left = await asked.count(); left > 0; left--) {
    await asked.first().getByRole('textbox', { name: 'Your own answer' }).fill('Only what comes back to the door.')
    await asked.first().getByRole('button', { name: 'Answer' }).click()
    await eventually(() => asked.count()).toBe(left - 1)
  }
}

async function checkOverview(page: Page): Promise<void> {
  const missing = await textOf(page.getByTestId('shortfalls'))
  expect(missing).toMatch(/Research: 2 of 3 answered/)
  expect(missing).toMatch(/Expert review: 1 of 2 answered; security-analyst is missing/)
  // Every member voted in the pass that counts.
  expect(missing).not.toContain('Validation')
  expect(await textOf(card(page, '2'))).toMatch(/degraded · 2 of 3 answered/)
  expect(await stateOf(page, '5')).toBe('left-out')
  expect(await textOf(page.getByTestId('findings'))).toMatch(
    /degraded: 1 of 2 answered[\s\S]*Overridden[\s\S]*Nobody locks the shelf[\s\S]*95 %[\s\S]*Advice[\s\S]*The paint may fade[\s\S]*20 %/,
  )
  expect(await textOf(page.getByTestId('issue-lines'))).toMatch(/#2\s*Sorting at the door\s*medium, after #1/)
  await page.getByText('from a degraded plan').waitFor()
  expect(await textOf(page.getByTestId('plan-cost'))).toBe('$0 of $2.00')
  expect(await textOf(page.getByTestId('spent'))).toMatch(/asks\s+\d+\s+400\s+~\d+/)
  expect(await page.locator('main img').count()).toBe(0)
  expect(await nameless(page)).toEqual([])
}

async function checkPhases(page: Page): Promise<void> {
  await card(page, '2').click()
  const research = page.getByRole('article', { name: 'Research' })
  expect(await textOf(research.getByTestId('flags'))).toMatch(/Degraded: 2 of 3 answered; researcher-risk is missing/)
  expect(await textOf(research.locator('[data-role=researcher-risk]'))).toMatch(/missing[\s\S]*refused/)
  await research.locator('[data-role=researcher-codebase]').getByRole('button').click()
  await eventually(() => textOf(research.locator('[data-role=researcher-codebase] .markdown'))).toContain('<img src=x')

  await card(page, '4').click()
  const design = page.getByRole('article', { name: 'Architecture' })
  await eventually(() => textOf(design.getByTestId('document'))).toMatch(
    /Diagrams are shown as their Mermaid text[\s\S]*door --> shelf[\s\S]*D4\.2-1/,
  )
  expect(await textOf(design.getByTestId('document'))).not.toMatch(/^---|phase: |turn plan-/m)
  await design.getByRole('radiogroup', { name: 'Document' }).getByText('plan.md').click()
  await eventually(() => design.getByTestId('document').getAttribute('data-file')).toBe('plan.md')
  expect(await nameless(page)).toEqual([])

  await card(page, '6').click()
  const check = page.getByRole('article', { name: 'Validation' })
  expect(await textOf(check.getByTestId('panel'))).toMatch(/GREEN 90 %\s*3 of 3 answered/)
  await check.getByRole('radiogroup', { name: 'Pass' }).getByText('Pass 1').click()
  expect(await textOf(check.getByTestId('panel'))).toMatch(
    /RED 30 %\s*degraded: 2 of 3 answered[\s\S]*Dissent: Rain[\s\S]*judge-sceptic[\s\S]*missing[\s\S]*refused/,
  )
  expect(await textOf(check.getByTestId('phase-state'))).toBe('sent back')
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await nameless(page)).toEqual([])
}

async function checkDecisions(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Plan', exact: true }).getByRole('link', { name: 'Decisions' }).click()
  const register = page.getByRole('main').getByTestId('register')
  await register.getByRole('article', { name: 'Decision D4.2-1' }).waitFor()
  expect(await register.getByRole('article', { name: 'Decision D4-1' }).count()).toBe(0)
  await register.getByRole('combobox', { name: 'Which decisions' }).selectOption('withdrawn')
  await eventually(() => textOf(register.getByRole('article', { name: 'Decision D4-1' }))).toContain(
    'withdrawn: its phase was sent back',
  )
  await register.getByRole('combobox', { name: 'Which decisions' }).selectOption('all')
  await register.getByRole('searchbox', { name: 'Search in the decisions' }).fill('each day')
  await eventually(() => register.getByTestId('decision').count()).toBe(1)
  await register.getByRole('link', { name: 'Architecture' }).click()
  await page.getByRole('article', { name: 'Architecture' }).waitFor()
}

async function checkIssues(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Plan', exact: true }).getByRole('link', { name: 'Issues' }).click()
  const first = page.getByRole('article', { name: 'Issue 1' })
  const command = await textOf(first.getByTestId('build-command'))
  expect(command).toMatch(/^convene build \.convene\/plans\/[\w-]+\/specs\/[\w-]+-1\.yaml$/)
  expect(await textOf(page.getByRole('article', { name: 'Issue 2' }))).toMatch(/after #1[\s\S]*sorted/)
  const address = page.url()
  await first.getByRole('button', { name: 'Build issue 1' }).click()
  const spec = page.getByRole('textbox', { name: 'Spec, YAML or JSON' })
  await eventually(() => spec.inputValue()).toContain('targetPath: src/shelf.ts')
  await eventually(() => page.getByRole('button', { name: 'Start the build' }).isEnabled()).toBe(true)
  await page.goto(address)
  await first.waitFor()
}

async function checkOnPhone(served: Served, address: string): Promise<void> {
  const path = new URL(address).pathname.replace(/\/issues$/, '')
  const { page } = await openPage(served, { path, width: 390, height: 844, dark: true })
  await eventually(() => page.getByTestId('phase-card').count()).toBe(11)
  expect(await textOf(page.getByTestId('shortfalls'))).toContain('2 of 3 answered')
  await eventually(() => page.getByTestId('issue-lines').count()).toBe(1)
  expect(await sideways(page)).toEqual([])
  for (const id of ['2', '3', '4', '6', '6b', '7', '9']) {
    await card(page, id).click()
    await page.locator(`[data-testid=phase-detail][data-phase="${id}"]`).waitFor()
    await page.getByTestId('document').waitFor()
    expect(await sideways(page), `phase ${id}`).toEqual([])
  }
  expect(await nameless(page)).toEqual([])
  for (const place of ['Decisions', 'Issues']) {
    await page.getByRole('navigation', { name: 'Plan', exact: true }).getByRole('link', { name: place }).click()
    await page.getByTestId(place === 'Issues' ? 'issues' : 'spent').waitFor()
    expect(await sideways(page), place).toEqual([])
    expect(await nameless(page)).toEqual([])
  }
  await page.getByRole('link', { name: 'Plans', exact: true }).click()
  await page.getByTestId('plan-line').waitFor()
  expect(await sideways(page)).toEqual([])
  await page.getByRole('button', { name: 'New plan' }).click()
  await page.getByRole('textbox', { name: 'Goal' }).fill(goal)
  await page.getByRole('button', { name: 'Plan in advanced mode' }).waitFor()
  expect(await sideways(page)).toEqual([])
}

async function checkList(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Plan', exact: true }).click()
  const line = page.getByTestId('plan-line')
  await eventually(() => line.getAttribute('data-degraded')).toBe('true')
  expect(await textOf(line)).toMatch(/Parcels that come back[\s\S]*done, degraded[\s\S]*standard[\s\S]*2 issues/)
  expect(await textOf(page.getByRole('navigation', { name: 'Plans' }))).toContain('degraded')
  expect(await nameless(page)).toEqual([])
}

const card = (page: Page, phase: string) => page.locator(`[data-testid=phase-card][data-phase="${phase}"]`)

const stateOf = (page: Page, phase: string) => card(page, phase).getAttribute('data-state')

/** How far each of the five bars is filled. */
const points = (page: Page) =>
  page
    .getByTestId('specify-gate')
    .locator('[data-points]')
    .evaluateAll((bars) => bars.map((bar) => Number((bar as HTMLElement).dataset.points)))
