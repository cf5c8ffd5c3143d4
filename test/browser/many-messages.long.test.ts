/** A room with ten thousand messages opens like a small one. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { NewEvent, StoredEvent } from '../../src/kernel/events.ts'
import { type OpenRoom, openRoom } from '../room/open-room.ts'
import { eventually, inBrowser } from '../support/browser.ts'
import { itemBy, say, visit } from './room-page.ts'

const pairs = 5_000
const batch = 2_500

inBrowser('a room of ten thousand messages', () => {
  it('shows its end at once, its beginning on demand, and never more than a few screens', async () => {
    const room = await openRoom([{ when: { ask: 'answer' }, text: 'Answer 1.', repeat: true }])
    await room.ask({ text: 'Question 1.', mode: 'single', target: 'gpt' })
    await repeatPair(room)
    expect(await room.transcript()).toHaveLength(2 * pairs)

    const began = performance.now()
    const { page } = await visit(room)
    const last = page.getByText(`Answer ${pairs}.`)
    await eventually(() => inSight(page, `Answer ${pairs}.`)).toBe(true)
    console.log(`a room of ${2 * pairs} messages shows its end after ${Math.round(performance.now() - began)} ms`)
    expect(await rows(page)).toBeLessThan(60)
    const { asked, bytes, programAsked } = await firstReading(page)
    // The page requested the end before the program was loaded, and it is a small part of the log.
    expect(asked).toBeLessThanOrEqual(programAsked)
    expect(bytes).toBeLessThan(250_000)

    await page.getByRole('log').focus()
    await eventually(async () => {
      await page.keyboard.press('Home')
      return inSight(page, 'Question 1.')
    }).toBe(true)
    console.log(`and its beginning after ${Math.round(performance.now() - began)} ms`)
    expect(await rows(page)).toBeLessThan(60)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_500)
    expect(await last.count()).toBe(0)
    // Twenty thousand events load in a few large pages, not one by one.
    expect(await requests(page)).toBeLessThan(30)

    await page.getByRole('button', { name: 'To the latest' }).click()
    await eventually(() => inSight(page, `Answer ${pairs}.`)).toBe(true)
    await say(page, '@gpt and one more?')
    await itemBy(page, 'gpt').getByText('Answer 1.', { exact: true }).waitFor()
    expect(await inSight(page, 'Answer 1.')).toBe(true)
    expect(await rows(page)).toBeLessThan(60)
  })
})

/** Copies the events of the one real message for each further one. */
async function repeatPair(room: OpenRoom): Promise<void> {
  const pattern = (await room.events()) as StoredEvent[]
  const text = JSON.stringify(pattern.map(({ seq: _seq, id: _id, ts: _ts, ...event }) => event))
  const { message_id } = pattern.find(({ type }) => type === 'message.posted')!.data as { message_id: string }
  const events: NewEvent[] = []
  for (let number = 2; number <= pairs; number += 1) {
    const copy = text
      .replaceAll(message_id, `${message_id}-${number}`)
      .replace('Question 1.', `Question ${number}.`)
      .replace('Answer 1.', `Answer ${number}.`)
    events.push(...(JSON.parse(copy) as NewEvent[]))
  }
  for (let from = 0; from < events.length; from += batch)
    await room.served.app.store.append(events.slice(from, from + batch))
}

/** Whether exactly this text is visible to a reader. */
function inSight(page: Page, text: string): Promise<boolean> {
  return page.getByRole('log').evaluate((log, text) => {
    const frame = log.getBoundingClientRect()
    return [...log.querySelectorAll('p')].some((each) => {
      const { top, bottom } = each.getBoundingClientRect()
      return each.textContent === text && top >= frame.top && bottom <= frame.bottom
    })
  }, text)
}

/** When the page first requested the room's log and the program, and how much it received. */
function firstReading(page: Page): Promise<{ asked: number; bytes: number; programAsked: number }> {
  return page.evaluate(() => {
    const loads = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const first = (part: string) => loads.find(({ name }) => name.includes(part))!
    const log = first('/api/events?room=')
    return { asked: log.startTime, bytes: log.encodedBodySize, programAsked: first('/assets/start-').startTime }
  })
}

const rows = (page: Page) => page.getByRole('log').locator('[data-index]').count()

function requests(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/')).length,
  )
}
