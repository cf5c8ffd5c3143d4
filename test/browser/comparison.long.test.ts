/** A comparison in a browser: both plans of one goal, side by side, on a desktop and on a phone. */
import { expect, it } from 'vitest'
import { planFolder } from '../plan/project.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { serve } from '../support/server.ts'
import { textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

const issue = {
  number: 1,
  title: 'Read the orders',
  acceptance_criteria: [{ id: 'reads', text: 'A file of three lines gives three orders' }],
}

inBrowser('a comparison, on the page', () => {
  it('shows figures and issues of both sides, without scrolling sideways', async () => {
    const alone = { when: { ask: 'plan-alone' as const }, reply: { design: 'Read, then write.', issues: [issue] } }
    const served = await serve({}, { folder: planFolder({ lines: [alone] }) })
    const goal = 'Import a CSV file of orders'
    const { body, status } = await served.call('POST', '/api/comparisons', { goal, yes: true })
    expect(status).toBe(202)
    const { id } = body as { id: string }
    const { page } = await openPage(served, { path: `/runs/${id}` })
    const comparison = page.getByTestId('comparison')
    await comparison.waitFor({ timeout: 240_000 })
    expect(await textOf(comparison.getByRole('heading', { level: 2 }))).toBe(goal)
    expect(await comparison.getByRole('columnheader').allTextContents()).toEqual(['One reply', 'All phases'])
    expect(await textOf(comparison.getByRole('row', { name: 'Asks' }))).toMatch(/^Asks\s+1\s+\d\d$/)
    expect(await textOf(comparison.getByRole('row', { name: 'Issues' }))).toMatch(/^Issues\s+1\s+2$/)
    expect(await textOf(comparison.locator('[data-side="one-call"]'))).toContain(
      'A file of three lines gives three orders',
    )
    expect(await textOf(comparison.locator('[data-side="plan"]'))).toContain('#2 Write the report')
    expect(await nameless(page)).toEqual([])
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await eventually(() => page.url()).toContain('tab=timeline')
    const phone = await openPage(served, { path: `/runs/${id}`, width: 390 })
    await phone.page.getByTestId('comparison').waitFor()
    await eventually(() => sideways(phone.page)).toEqual([])
  })
})
