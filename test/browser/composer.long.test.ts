/** The composer by keyboard: names, commands, and every shortcut. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Line } from '../room/open-room.ts'
import { eventually, inBrowser } from '../support/browser.ts'
import { holdAgents } from './held-agents.ts'
import {
  chip,
  chooseMode,
  composer,
  enterRoom,
  itemBy,
  shown,
  speakers,
  stopButton,
  textOf,
  whyPanel,
} from './room-page.ts'

const anything: Line[] = [
  { when: { ask: 'micro-proposal' }, repeat: true, reply: { angle: 'an answer', confidence: 0.9, covers: ['it'] } },
  { when: { ask: 'answer' }, repeat: true, text: 'Yes.' },
  { when: { ask: 'turn' }, repeat: true, reply: { message: 'My turn.', final: true } },
]

const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
const offered = (page: Page) => suggestions(page).getByRole('option').allInnerTexts()

inBrowser('the composer and the keys', () => {
  it('[RD2] @ offers the agents; only the chosen one answers', async () => {
    const { page } = await enterRoom(anything)
    await composer(page).click()
    await page.keyboard.type('@')
    await eventually(() => offered(page)).toEqual([
      expect.stringMatching(/^@gpt/),
      expect.stringMatching(/^@claude/),
      expect.stringMatching(/^@all/),
      expect.stringMatching(/^@both/),
      expect.stringMatching(/^@router collaborate/),
    ])
    await page.keyboard.type('cl')
    await eventually(() => offered(page)).toEqual([expect.stringMatching(/^@claude/)])
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('@claude ')
    await page.keyboard.type('is it so?')
    await page.keyboard.press('Control+Enter')
    await eventually(() => speakers(page)).toEqual(['you', 'claude'])
    expect(await composer(page).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Why claude answered: called by name' }).click()
    await eventually(() => textOf(whyPanel(page))).toContain('RD2 · mention')
  })

  it('/ offers the commands; arrows choose, Enter runs, Esc closes', async () => {
    const { page } = await enterRoom(anything)
    await page
      .getByRole('log')
      .or(page.getByRole('main'))
      .first()
      .click({ position: { x: 5, y: 200 } })
    await page.keyboard.press('/')
    await eventually(() => composer(page).inputValue()).toBe('/')
    await eventually(async () => (await offered(page)).length).toBeGreaterThan(10)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const active = suggestions(page).getByRole('option', { selected: true })
    expect(await textOf(active)).toMatch(/^\/collab/)
    expect(await composer(page).getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'))
    await page.keyboard.press('Escape')
    await suggestions(page).waitFor({ state: 'detached' })
    await composer(page).fill('/collab claude gpt: Work it out')
    await page.keyboard.press('Enter')
    await eventually(() => composer(page).inputValue()).toBe('Work it out')
    expect(await page.getByRole('radio', { name: 'Collaborate (claude↔gpt)' }).isChecked()).toBe(true)
    expect(await page.getByRole('combobox', { name: 'Speaker' }).inputValue()).toBe('claude')
    await composer(page).fill('/rounds 3')
    await page.keyboard.press('Enter')
    await eventually(() => textOf(chip(page))).toBe('Collab: 0/3')
    expect(await page.getByRole('spinbutton', { name: 'Maximum turns' }).inputValue()).toBe('3')
    await composer(page).fill('/colab')
    await page.keyboard.press('Control+Enter')
    await eventually(() => textOf(page.getByRole('alert'))).toContain('Did you mean /collab?')
    await composer(page).fill('/both')
    await page.keyboard.press('Enter')
    await eventually(() => textOf(page.getByTestId('room-override'))).toContain('gpt and claude')
    expect(await shown(page)).toEqual([])
  })

  it('Enter starts a new line, Ctrl-Enter sends; an unsent draft survives a reload', async () => {
    const { page } = await enterRoom(anything)
    await composer(page).click()
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    await page.keyboard.type('two')
    expect(await composer(page).inputValue()).toBe('one\ntwo')
    await page.reload()
    await eventually(() => composer(page).inputValue()).toBe('one\ntwo')
    await composer(page).click()
    await page.keyboard.press('Control+Enter')
    await itemBy(page, 'you').waitFor()
    expect(await textOf(itemBy(page, 'you'))).toMatch(/one\ntwo/)
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  })

  it('? shows the shortcuts, Esc closes them, and only a second Esc stops what is running', async () => {
    const { page, room } = await enterRoom(anything)
    holdAgents(room.served)
    await composer(page).fill('@gpt take your time')
    await page.keyboard.press('Control+Enter')
    await stopButton(page).waitFor()
    await composer(page).blur()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Ctrl Enter').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await stopButton(page).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await stopButton(page).waitFor({ state: 'detached' })
    await itemBy(page, 'router').getByText('Stopped by user.').waitFor()
    expect(await page.getByTestId('draft').count()).toBe(0)
  })

  it('shortcuts also work after choosing something with the mouse', async () => {
    const { page } = await enterRoom(anything)
    await chooseMode(page, 'Single call')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })

  it('[TN6] the number of rounds is typed digit by digit and stays within its bounds', async () => {
    const { page } = await enterRoom(anything)
    await chooseMode(page, 'Collaborate (gpt↔claude)')
    const rounds = page.getByRole('spinbutton', { name: 'Maximum turns' })
    for (const [typed, kept] of [
      ['12', '12'],
      ['99', '50'],
    ] as const) {
      await rounds.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(typed)
      await page.keyboard.press('Tab')
      expect(await rounds.inputValue()).toBe(kept)
      await eventually(() => textOf(chip(page))).toBe(`Collab: 0/${kept}`)
    }
    await rounds.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await eventually(() => textOf(chip(page))).toBe('Collab: 0/48')
  })

  it('rooms are created, switched and left by keyboard', async () => {
    const { page } = await enterRoom(anything, { name: 'First' })
    const heading = page.getByRole('heading', { level: 1 })
    await eventually(() => textOf(heading)).toBe('First')
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Name' }).fill('Second')
    await page.keyboard.press('Enter')
    await eventually(() => textOf(heading)).toBe('Second')
    await page.keyboard.press('k')
    await eventually(() => textOf(heading)).toBe('First')
    await page.keyboard.press('i')
    expect(await composer(page).evaluate((area) => area === document.activeElement)).toBe(true)
    await page.keyboard.press('Alt+ArrowDown')
    await eventually(() => textOf(heading)).toBe('Second')
  })
})
