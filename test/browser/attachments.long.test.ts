/** Attaching files in the browser: by path, by picker, by drop; and sending one agent a private message. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Line } from '../room/open-room.ts'
import { recordPrompts } from '../room/open-room.ts'
import { eventually, inBrowser } from '../support/browser.ts'
import { composer, enterRoom, itemBy, speakers, textOf } from './room-page.ts'
import { sideways } from './screen-checks.ts'

const anything: Line[] = [
  { when: { ask: 'answer' }, repeat: true, text: 'I read it.' },
  { when: { ask: 'agent-message' }, repeat: true, reply: { content: 'Tabs it is.' } },
]

inBrowser('attachments', () => {
  for (const width of [1280, 390])
    it(`[RD15] are completed, picked, removed and sent at ${width} px`, async () => {
      const { page, room } = await enterRoom(anything, { width })
      mkdirSync(join(room.served.folder, 'src/room'), { recursive: true })
      writeFileSync(join(room.served.folder, 'src/room/round.ts'), 'export const round = 1\n')
      const asked = recordPrompts(room.served)
      const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
      await composer(page).click()
      await page.keyboard.type('@gpt why @src/ro')
      await eventually(() => options.allInnerTexts()).toEqual([
        expect.stringMatching(/^@src\/room\/\s+folder/),
        expect.stringMatching(/^@src\/room\/round\.ts\s+attach this file/),
      ])
      await page.keyboard.press('ArrowDown')
      expect(await composer(page).getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'))
      await page.keyboard.press('Enter')
      expect(await composer(page).inputValue()).toBe('@gpt why @src/room/round.ts ')

      await page.getByTestId('file-input').setInputFiles([
        { name: 'error.log', mimeType: 'text/plain', buffer: Buffer.from('boom at line 3') },
        { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') },
      ])
      const chips = page.getByTestId('attachments').getByRole('listitem')
      await eventually(() => chips.allInnerTexts()).toEqual(['src/room/round.ts', 'error.log', 'notes.md'])
      await page.getByRole('button', { name: 'Remove notes.md' }).click()
      await eventually(() => chips.allInnerTexts()).toEqual(['src/room/round.ts', 'error.log'])
      expect(await sideways(page)).toEqual([])
      await page.getByRole('button', { name: 'Send' }).click()
      await eventually(() => speakers(page)).toEqual(['you', 'gpt'])
      expect(await chips.count()).toBe(0)
      expect(asked[0]!.prompt).toContain('export const round = 1')
      expect(asked[0]!.prompt).toContain('boom at line 3')
      expect(asked[0]!.prompt).not.toContain('# Notes')

      const sent = itemBy(page, 'you').getByTestId('attached')
      expect(await sent.getByRole('listitem').allInnerTexts()).toEqual([
        'src/room/round.ts, 1 line',
        'error.log, 1 line',
      ])
      await sent.getByRole('button', { name: 'error.log' }).click()
      await sent.getByText('boom at line 3').waitFor()
    })

  it('[RD15] can be dropped, and are refused where they are not text', async () => {
    const { page } = await enterRoom(anything, { expected: /status of 400 .*\/messages/ })
    const drop = async (name: string, bytes: number[]) => {
      const data = await page.evaluateHandle(
        ([name, bytes]) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([new Uint8Array(bytes as number[])], name as string))
          return transfer
        },
        [name, bytes] as const,
      )
      await page.getByTestId('drop-zone').dispatchEvent('drop', { dataTransfer: data })
    }
    await drop('a.txt', [104, 105])
    const chips = page.getByTestId('attachments').getByRole('listitem')
    await eventually(() => chips.allInnerTexts()).toEqual(['a.txt'])
    await drop('logo.png', [137, 80, 0, 1])
    await eventually(() => textOf(page.getByRole('alert'))).toContain('logo.png is not a text file')
    await composer(page).fill('See @src/nope.ts')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(() => textOf(page.getByRole('alert'))).toContain('@src/nope.ts: the project has no such file')
    await page.getByRole('button', { name: 'Remove src/nope.ts' }).click()
    expect(await composer(page).inputValue()).toBe('See ')
  })

  it('[AM1] /tell writes to one agent, and its reply appears', async () => {
    const { page } = await enterRoom(anything)
    await composer(page).fill('/tell gpt We use tabs.')
    await page.keyboard.press('Enter')
    await page.getByText('Tabs it is.').waitFor()
    expect(await composer(page).inputValue()).toBe('')
  })
})
