/** The same pages on a phone, in dark mode, by keyboard alone, and with a screen reader. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Line } from '../room/open-room.ts'
import { eventually, inBrowser } from '../support/browser.ts'
import { chooseMode, composer, enterRoom, itemBy, say, whyPanel } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

const longWord = 'a'.repeat(300)
const longLine = ['```', 'b '.repeat(200), '```'].join('\n')
const wideTable = [`|${'c|'.repeat(30)}`, `|${'-|'.repeat(30)}`].join('\n')
const script: Line[] = [
  { when: { ask: 'micro-proposal', agent: 'gpt' }, reply: { angle: 'load', confidence: 0.9, covers: ['postgres'] } },
  { when: { ask: 'micro-proposal', agent: 'claude' }, reply: { angle: 'loss', confidence: 0.8, covers: ['rows'] } },
  { when: { ask: 'answer' }, text: [longWord, longLine, wideTable].join('\n\n'), repeat: true },
]

inBrowser('every kind of screen', () => {
  it('narrow: the rail is at the bottom, list and inspector are sheets, nothing scrolls sideways', async () => {
    const { page } = await enterRoom(script, { width: 390, height: 844, name: 'A room with quite a long name for it' })
    await say(page, `Which queue? ${'d'.repeat(200)}`)
    await itemBy(page, 'claude').waitFor()
    const rail = (await page.getByRole('navigation', { name: 'Convene' }).boundingBox())!
    expect([rail.x, rail.y + rail.height, rail.width]).toEqual([0, 844, 390])
    const writing = (await composer(page).boundingBox())!
    expect(writing.y + writing.height).toBeLessThan(rail.y)
    expect(await sideways(page)).toEqual([])

    await page.getByRole('button', { name: 'Rooms' }).click()
    const list = page.getByRole('dialog', { name: 'Rooms' })
    await list.getByRole('link', { name: 'A room with' }).waitFor()
    expect(await sideways(page)).toEqual([])
    await list.getByRole('link', { name: 'A room with' }).click()
    await list.waitFor({ state: 'detached' })

    await page.getByTestId('inspector-button').click()
    const sheet = page.getByRole('dialog', { name: 'Inspector' })
    await sheet.getByRole('img', { name: /overlap/ }).waitFor()
    const box = (await sheet.boundingBox())!
    expect([box.x, box.width, Math.round(box.y + box.height)]).toEqual([0, 390, 844])
    expect(await sideways(page)).toEqual([])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    for (const mode of ['Single call', 'Collaborate (gpt↔claude)', 'Coordinate']) {
      await chooseMode(page, mode)
      expect(await sideways(page)).toEqual([])
      expect(await cutOff(page)).toEqual([])
    }
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await sideways(page)).toEqual([])
    await page.getByTestId('agents').getByRole('listitem').first().waitFor()
    expect(await sideways(page)).toEqual([])
    expect(await nameless(page)).toEqual([])
  })

  it('an address that leads nowhere says so and leads back, narrow too', async () => {
    const { page } = await enterRoom(script, { width: 390, height: 844 })
    for (const [path, all] of [
      ['/plans/some-plan/nowhere', 'plans'],
      ['/builds/some-build/nowhere', 'builds'],
      ['/features/some-feature/nowhere', 'features'],
      ['/runs/some-run/nowhere', 'runs'],
      ['/rooms/no-such-room', 'rooms'],
    ] as const) {
      await page.goto(new URL(path, page.url()).href)
      await page.getByRole('heading', { name: /not found$/ }).waitFor()
      await page.getByRole('link', { name: `See this project's ${all}` }).click()
      await page.getByRole('link', { name: `See this project's ${all}` }).waitFor({ state: 'detached' })
    }
  })

  it('narrow: every mode is legible, even with many agents that have long names', async () => {
    const agents = ['a-reviewer-with-care', 'claude', 'gemini-flash-preview', 'gpt']
    const { page } = await enterRoom(script, { width: 390, height: 844, agents })
    await chooseMode(page, 'Coordinate')
    expect(await cutOff(page)).toEqual([])
    expect(await sideways(page)).toEqual([])
    const places = page.getByRole('navigation', { name: 'Convene' })
    expect(await places.getByRole('link').count()).toBe(6)
    expect(await places.getByRole('button').count()).toBe(0)
    await chooseMode(page, 'Collaborate (4 agents)')
    await page.getByTestId('participants').click()
    await page.getByRole('checkbox', { name: 'gpt' }).uncheck()
    await page.keyboard.press('Escape')
    expect(await cutOff(page)).toEqual([])
    expect(await sideways(page)).toEqual([])
  })

  it('dark: follows the system until the person chooses otherwise', async () => {
    const { page } = await enterRoom(script, { dark: true })
    expect(await brightness(page)).toMatchObject({ ground: 'dark', words: 'light' })
    await page.getByRole('button', { name: 'Theme' }).click()
    await eventually(() => brightness(page)).toMatchObject({ ground: 'light', words: 'dark' })
    await page.reload()
    await composer(page).waitFor()
    expect(await brightness(page)).toMatchObject({ ground: 'light', words: 'dark' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('radiogroup', { name: 'Appearance' }).getByText('System').click()
    await eventually(() => brightness(page)).toMatchObject({ ground: 'dark', words: 'light' })
  })

  it('keyboard: Tab reaches everything, and the focus is always visible', async () => {
    const { page } = await enterRoom(script)
    await say(page, 'Which queue?')
    await itemBy(page, 'claude').waitFor()
    await whyPanel(page)
      .getByRole('img', { name: /overlap/ })
      .waitFor()
    await chooseMode(page, 'Collaborate (gpt↔claude)')
    await composer(page).fill('something to send')
    await markControls(page)
    const reached = await tabThrough(page)
    const all = await controls(page)
    expect(all.length).toBeGreaterThan(20)
    expect(all.filter((control) => !reached.has(control))).toEqual([])
    expect(await unseen(page)).toEqual([])
  })

  it('screen reader: every control has a name, on every page', async () => {
    const { page } = await enterRoom(script)
    expect(await nameless(page)).toEqual([])
    await say(page, 'Which queue?')
    await itemBy(page, 'claude').waitFor()
    await composer(page).fill('/')
    await page.getByRole('listbox').waitFor()
    expect(await nameless(page)).toEqual([])
    await composer(page).fill('')
    for (const mode of ['Single call', 'Collaborate (gpt↔claude)']) {
      await chooseMode(page, mode)
      expect(await nameless(page)).toEqual([])
    }
    await page.getByTestId('participants').click()
    await page.getByRole('tab', { name: 'Room' }).click()
    await page.getByTestId('room-overview').waitFor()
    expect(await nameless(page)).toEqual([])
    for (const opener of ['New room', 'Keys']) {
      await page.getByRole('button', { name: opener }).click()
      await page.getByRole('dialog').waitFor()
      expect(await nameless(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await nameless(page)).toEqual([])
  })
})

/** Modes whose label does not fit inside their button. */
function cutOff(page: Page): Promise<string[]> {
  return page
    .getByRole('radiogroup', { name: 'Mode' })
    .locator('label')
    .evaluateAll((labels) =>
      labels
        .filter((label) => {
          const words = document.createRange()
          words.selectNodeContents(label.lastChild!)
          const [text, box] = [words.getBoundingClientRect(), label.getBoundingClientRect()]
          const inside = text.left >= box.left && text.right <= box.right && text.bottom <= box.bottom
          return !inside || box.left < 0 || box.right > innerWidth || label.scrollWidth > label.clientWidth
        })
        .map((label) => label.textContent ?? ''),
    )
}

function brightness(page: Page): Promise<{ ground: string; words: string }> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')!
    const light = (colour: string) => {
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data
      return red! + green! + blue! > 384 ? 'light' : 'dark'
    }
    const { backgroundColor, color } = getComputedStyle(document.body)
    return { ground: light(backgroundColor), words: light(color) }
  })
}

/** Numbers every control and records how it looks without focus. */
function markControls(page: Page): Promise<void> {
  return page.evaluate(() => {
    const looks = (element: Element) => {
      const chain = [element, element.parentElement!, element.parentElement!.parentElement!]
      return JSON.stringify(
        chain.map((each) => {
          const { outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow } = getComputedStyle(each)
          return [outlineStyle === 'none' ? '' : outlineWidth + outlineColor, borderColor, boxShadow]
        }),
      )
    }
    ;(document.activeElement as HTMLElement | null)?.blur()
    const usable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]'
    for (const [index, each] of [...document.querySelectorAll<HTMLElement>(usable)].entries()) {
      // The file field behind the attach button is not displayed: nobody can see, focus or click it.
      if (!each.checkVisibility()) continue
      // In a radio group, Tab reaches the chosen one; arrows reach the others.
      if (each instanceof HTMLInputElement && each.type === 'radio' && !each.checked) continue
      const words = each.getAttribute('aria-label') ?? each.textContent
      each.dataset.control = `${index} ${each.tagName} ${words}`
      each.dataset.unfocused = looks(each)
    }
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) target.dataset.focused = looks(target)
    })
  })
}

function controls(page: Page): Promise<string[]> {
  return page
    .locator('[data-control]')
    .evaluateAll((all) => (all as HTMLElement[]).map((each) => each.dataset.control!))
}

/** Presses Tab until the focus is back where it began. */
async function tabThrough(page: Page): Promise<Set<string>> {
  const reached = new Set<string>()
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab')
    const control = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.control)
    if (control !== undefined && reached.has(control)) break
    if (control !== undefined) reached.add(control)
  }
  return reached
}

/** Controls that look the same with and without focus. */
function unseen(page: Page): Promise<string[]> {
  return page
    .locator('[data-control][data-focused]')
    .evaluateAll((all) =>
      (all as HTMLElement[])
        .filter(({ dataset }) => dataset.focused === dataset.unfocused)
        .map(({ dataset }) => dataset.control!),
    )
}
