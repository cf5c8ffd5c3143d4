/** A room on the page: the modes, the reasons for a decision, and a person's override. */
import { describe, expect, it } from 'vitest'
import { type Line, newRoom, openRoom } from '../room/open-room.ts'
import { eventually, inBrowser } from '../support/browser.ts'
import { holdAgents } from './held-agents.ts'
import {
  anotherTab,
  chooseMode,
  enterRoom,
  itemBy,
  say,
  shown,
  speakers,
  stopButton,
  textOf,
  visit,
  watchText,
  whyPanel,
} from './room-page.ts'
import { overlapping } from './screen-checks.ts'

const propose = (agent: string, reply: Record<string, unknown>): Line => ({
  when: { ask: 'micro-proposal', agent },
  repeat: true,
  reply: { solo_sufficient: false, ...reply },
})
const answer = (agent: string, text: string, rest: Partial<Line> = {}): Line => ({
  when: { ask: 'answer', agent },
  repeat: true,
  text,
  ...rest,
})

/** Both are confident, with different topics. */
const apart = [
  propose('gpt', { angle: 'what the database can carry', confidence: 0.86, covers: ['postgres', 'load'] }),
  propose('claude', { angle: 'what must never be lost', confidence: 0.78, covers: ['delivery'] }),
  answer('gpt', 'One table will do.'),
  answer('claude', 'Make it idempotent.'),
]
/** Both are confident, with the same topics. */
const alike = [
  propose('claude', { angle: 'weaknesses of the design', confidence: 0.9, covers: ['design'] }),
  propose('gpt', { angle: 'weaknesses of the design', confidence: 0.82, covers: ['design'], builds_on_other: true }),
  answer('claude', 'No jitter.'),
  answer('gpt', 'And no budget.'),
]

inBrowser('a room, on the page', () => {
  it('a single call goes to the chosen agent', async () => {
    const { page } = await enterRoom([answer('claude', 'Alone.')])
    await chooseMode(page, 'Single call')
    await page.getByRole('combobox', { name: 'Target' }).selectOption('claude')
    await say(page, 'Who is there?')
    await itemBy(page, 'claude').getByText('Alone.').waitFor()
    expect((await shown(page)).map(({ type, sender, target }) => [type, sender, target])).toEqual([
      ['human_message', 'you', 'claude'],
      ['agent_response', 'claude', 'all'],
    ])
    expect(await textOf(whyPanel(page))).toContain('Only claude was asked.')
    expect(await page.getByTestId('round').count()).toBe(0)
  })

  it('PARALLEL: proposals arrive, both answer concurrently, and the panel says why', async () => {
    const { page, room } = await enterRoom(apart)
    const agents = holdAgents(room.served)
    await say(page, 'Which queue should we use?')
    const round = page.getByTestId('round')
    await eventually(() => textOf(round)).toMatch(/0 of 2 proposed/)
    await agents.letSpeak('gpt')
    await eventually(() => textOf(round)).toMatch(/1 of 2 proposed\s+waiting for claude/)
    await agents.letSpeak('claude')
    await eventually(() => textOf(round)).toMatch(/Both answer\s+different angles, overlap 0\.00/)
    await eventually(() => page.getByTestId('draft').count()).toBe(2)
    await agents.letSpeak('gpt')
    await agents.letSpeak('claude')
    await itemBy(page, 'claude').waitFor()
    const [left, right] = await Promise.all([itemBy(page, 'gpt').boundingBox(), itemBy(page, 'claude').boundingBox()])
    expect(right!.x).toBeGreaterThan(left!.x + left!.width)
    expect(right!.y).toBe(left!.y)

    const why = whyPanel(page)
    expect(await textOf(why.getByRole('heading', { level: 2 }))).toBe('Why both answered')
    expect(await textOf(why)).toMatch(/DP10 · parallel/)
    expect(await textOf(why)).toMatch(/gpt\s+0\.86[\s\S]*claude\s+0\.78/)
    const proposals = await why.getByTestId('proposal').allInnerTexts()
    expect(proposals[0]).toMatch(/gpt\s*what the database can carry[\s\S]*postgres[\s\S]*load/)
    expect(proposals[1]).toMatch(/claude\s*what must never be lost[\s\S]*delivery/)
    const picture = why.getByRole('img', { name: 'gpt and claude overlap by 0.00' })
    expect(await picture.locator('circle').count()).toBe(2)
    expect(await textOf(why.getByTestId('cost'))).toMatch(/coordination\s+2×[\s\S]*answers\s+2×/)
  })

  it('sets three answers side by side, or below one another where that is too narrow', async () => {
    const agents = ['gpt', 'claude', 'gemini']
    const { page } = await enterRoom(
      agents.map((agent) => answer(agent, `${agent} says so.`)),
      { agents, width: 1500 },
    )
    await say(page, '@gpt @claude @gemini which queue?')
    const places = async () => {
      const boxes = await Promise.all(agents.map((agent) => itemBy(page, agent).boundingBox()))
      return { columns: new Set(boxes.map((box) => box?.x)).size, rows: new Set(boxes.map((box) => box?.y)).size }
    }
    await eventually(places).toEqual({ columns: 3, rows: 1 })
    await page.setViewportSize({ width: 1280, height: 800 })
    await eventually(places).toEqual({ columns: 1, rows: 3 })
  })

  it('keeps requests, tokens, money and time of a round apart', async () => {
    const agent = { provider: 'rehearsal', script: 'script.yaml', price: { input: 50, output: 90 } }
    const { page } = await enterRoom(apart, { settings: { agents: { gpt: agent, claude: agent } } })
    await say(page, 'Which queue should we use?')
    await itemBy(page, 'claude').waitFor()
    const cost = whyPanel(page).getByTestId('cost')
    await eventually(() => textOf(cost)).toMatch(/answers\s+2×\s+\S+ tok\s+\$0\.\d+\s+\d/)
    expect(await overlapping(cost)).toEqual([])
  })

  it('SYNTHESIS: the second agent is shown waiting until the first has answered', async () => {
    const { page, room } = await enterRoom(alike)
    const agents = holdAgents(room.served, { kinds: ['answer'] })
    await say(page, 'Review the retry design.')
    const waiting = page.getByTestId('waiting')
    await eventually(() => textOf(waiting)).toContain("gpt is waiting to read claude's answer")
    await eventually(() => agents.asked()).toEqual(['claude'])
    await agents.letSpeak('claude')
    await waiting.waitFor({ state: 'detached' })
    await agents.letSpeak('gpt')
    await itemBy(page, 'gpt').waitFor()
    expect(await speakers(page)).toEqual(['you', 'claude', 'gpt'])
    expect(await textOf(itemBy(page, 'gpt'))).toContain('after reading claude')
    expect(await textOf(whyPanel(page).getByRole('heading', { level: 2 }))).toBe('Why gpt built on claude')
    await whyPanel(page).getByRole('img', { name: 'claude and gpt overlap by 1.00' }).waitFor()
  })

  it('[RD10] “only this one” and “both” ask the same message again', async () => {
    const { page } = await enterRoom(alike)
    await say(page, 'Review it.')
    await itemBy(page, 'gpt').waitFor()
    const again = whyPanel(page)
    await again.getByRole('button', { name: 'Only gpt', exact: true }).click()
    await eventually(() => speakers(page)).toEqual(['you', 'claude', 'gpt', 'you', 'gpt'])
    await eventually(() => textOf(again.getByRole('heading', { level: 2 }))).toBe('Why gpt answered')
    await again.getByRole('button', { name: 'gpt and claude', exact: true }).click()
    await eventually(async () => (await speakers(page)).slice(5).sort()).toEqual(['claude', 'gpt', 'you'])
    const said = (await shown(page)).filter(({ sender }) => sender === 'you')
    expect(said.map(({ text }) => /Review it\./.test(text))).toEqual([true, true, true])
    await eventually(() => textOf(again)).toMatch(/RD10 · your override/)
  })

  it('[RD10] an override applies to one message, or to the room until it is cleared', async () => {
    const { page } = await enterRoom(alike)
    await page.getByRole('combobox', { name: 'Who answers this message' }).selectOption('only gpt')
    await say(page, 'First.')
    await eventually(() => speakers(page)).toEqual(['you', 'gpt'])
    await eventually(() => page.getByTestId('override').inputValue()).toBe('')
    await whyPanel(page).getByRole('button', { name: 'In this room: only claude' }).click()
    await eventually(() => textOf(page.getByTestId('room-override'))).toContain('only claude')
    await say(page, 'Second.')
    await eventually(() => speakers(page)).toEqual(['you', 'gpt', 'you', 'claude'])
    await page.getByRole('button', { name: 'Let the rule decide again in this room' }).click()
    await page.getByTestId('room-override').waitFor({ state: 'detached' })
    await say(page, 'Review the retry loop of the mailer.')
    await eventually(() => speakers(page)).toEqual(['you', 'gpt', 'you', 'claude', 'you', 'claude', 'gpt'])
  })

  it('[RD10] names the two who answer together, and promises no more in a room of three', async () => {
    const choices = async (agents: string[]) => {
      const { page } = await enterRoom([], { agents })
      return page.getByRole('combobox', { name: 'Who answers this message' }).getByRole('option').allTextContents()
    }
    expect(await choices(['gpt', 'claude'])).toContain('gpt and claude answer')
    expect(await choices(['gpt', 'claude', 'gemini'])).toContain('at least two answer')
  })

  it('shows a round as stopped if it is stopped during proposals, also after a reload', async () => {
    const { page, room } = await enterRoom(apart)
    const agents = holdAgents(room.served)
    await say(page, 'Which queue should we use?')
    await agents.letSpeak('gpt')
    const round = page.getByTestId('round')
    await eventually(() => textOf(round)).toMatch(/1 of 2 proposed/)
    await stopButton(page).click()
    await itemBy(page, 'router').getByText('Stopped by user.').waitFor()
    for (const visit of ['now', 'later']) {
      if (visit === 'later') await page.reload()
      await eventually(() => textOf(round)).toMatch(/Stopped before a decision/)
      expect(await textOf(round)).not.toMatch(/proposed|waiting/)
      const why = whyPanel(page)
      expect(await textOf(why.getByRole('heading', { level: 2 }))).toBe('Stopped before a decision')
      expect(await textOf(why)).toMatch(/You stopped it when 1 of 2 agents had proposed/)
      expect(await textOf(page.locator('body'))).not.toMatch(/Deciding|deciding|in progress/)
    }
  })

  it('marks only what arrives after the first visit as unread', async () => {
    const { served, id, ask } = await openRoom([answer('gpt', 'Said before.')])
    await ask({ text: '@gpt before?' })
    const other = await newRoom(served, { name: 'Elsewhere' })
    const { page } = await visit(other)
    const link = page.getByTestId('room-link').and(page.locator(`[href="/rooms/${id}"]`))
    await eventually(() => textOf(link)).toContain('now')
    expect(await link.getAttribute('data-unread')).toBe('0')
    expect(await page.title()).not.toMatch(/^\(/)
    await ask({ text: '@gpt and now?' })
    await eventually(() => link.getAttribute('data-unread')).toBe('1')
    await eventually(() => page.title()).toMatch(/^\(1\)/)
  })

  it('labels a rehearsal agent wherever its words are shown', async () => {
    const { page } = await enterRoom([answer('gpt', 'A line of mine.')])
    expect(await textOf(page.getByTestId('rehearsal-banner'))).toMatch(/Rehearsal\..*gpt and claude play a script/)
    await say(page, '@gpt your line?')
    await itemBy(page, 'gpt').getByTestId('rehearsal').waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    const agents = () => page.getByTestId('agents').getByRole('listitem').allInnerTexts()
    await eventually(agents).toEqual([
      expect.stringMatching(/gpt\s+rehearsal\s+rehearsal/),
      expect.stringMatching(/claude\s+rehearsal\s+rehearsal/),
    ])
    await page.getByRole('button', { name: 'Copy the commands' }).waitFor()
    await page.getByRole('link', { name: 'Room', exact: true }).click()
    await itemBy(page, 'gpt').getByText('A line of mine.').waitFor()
  })

  describe('messages', () => {
    it('grow while streaming, and stay once complete', async () => {
      const words = 'One two three four five six seven eight nine ten.'
      const { page } = await enterRoom([answer('gpt', words, { stream_ms: 3000 })])
      const written = await watchText(page, '[data-testid=draft] .markdown')
      await say(page, '@gpt count')
      await itemBy(page, 'gpt').getByText(words).waitFor()
      const lengths = (await written()).map((text) => text.length)
      expect(lengths.length).toBeGreaterThan(2)
      expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
      expect(lengths[0]).toBeLessThan(words.length)
      expect(await page.getByTestId('draft').count()).toBe(0)
    })

    it('in a session, stream only the words of a turn, never the JSON', async () => {
      const reply = { message: 'A sentence that takes a while to be written.', final: true }
      const { page } = await enterRoom([{ when: { ask: 'turn' }, stream_ms: 2000, reply }])
      const written = await watchText(page, '[data-testid=draft] .markdown')
      await chooseMode(page, 'Collaborate (gpt↔claude)')
      await say(page, 'Write')
      await itemBy(page, 'gpt').waitFor()
      const drafts = await written()
      expect(drafts.length).toBeGreaterThan(1)
      for (const draft of drafts) expect(reply.message.startsWith(draft.trim())).toBe(true)
    })

    it('are Markdown', async () => {
      const text = [
        '## A plan',
        'with **weight** and `code` and [a link](https://example.org/)',
        '- one\n- two',
        '```ts\nconst x = 1\n```',
        '| a | b |\n|---|---|\n| 1 | 2 |',
      ].join('\n\n')
      const { page } = await enterRoom([answer('gpt', text)])
      await say(page, '@gpt show me')
      const item = itemBy(page, 'gpt')
      await item.getByRole('heading', { name: 'A plan' }).waitFor()
      expect(await textOf(item.locator('strong'))).toBe('weight')
      expect(await item.getByRole('listitem').allInnerTexts()).toEqual(['one', 'two'])
      expect(await textOf(item.locator('pre'))).toContain('const x = 1')
      await item.locator('pre .hljs-keyword').getByText('const').waitFor()
      expect(await item.getByRole('cell').allInnerTexts()).toEqual(['1', '2'])
      const link = item.getByRole('link', { name: 'a link' })
      expect(await link.getAttribute('target')).toBe('_blank')
      expect(await link.getAttribute('rel')).toContain('noopener')
    })
  })

  it('highlight code in light and dark mode, and load the highlighter only when needed', async () => {
    const code = '```ts\n// why\nconst label = "x" + 1\n```\n\n```nonsense\nconst y = 2\n```'
    const { page } = await enterRoom([answer('gpt', 'No code.'), answer('claude', code)])
    const loads = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('lowlight')).length,
      )
    await say(page, '@gpt without')
    await itemBy(page, 'gpt').getByText('No code.').waitFor()
    expect(await loads()).toBe(0)
    await say(page, '@claude with')
    const [coloured, plain] = [0, 1].map((index) => itemBy(page, 'claude').locator('pre').nth(index))
    await coloured!.locator('.hljs-keyword').waitFor()
    expect(await loads()).toBe(1)
    expect(await textOf(coloured!)).toBe('// why\nconst label = "x" + 1\n')
    expect(await textOf(plain!)).toBe('const y = 2\n')
    expect(await plain!.locator('span').count()).toBe(0)
    const colours = () =>
      coloured!.evaluate((pre) =>
        ['.hljs-comment', '.hljs-keyword', '.hljs-string', '.hljs-number'].map(
          (part) => getComputedStyle(pre.querySelector(part)!).color,
        ),
      )
    const light = await colours()
    expect(new Set([...light, await coloured!.evaluate((pre) => getComputedStyle(pre).color)]).size).toBe(5)
    await page.getByRole('button', { name: 'Theme' }).click()
    await eventually(colours).not.toEqual(light)
    const dark = await colours()
    expect(dark.every((colour, index) => colour !== light[index])).toBe(true)
  })

  it('look the same on a second page, even one opened in the middle of a stream', async () => {
    const first = await enterRoom(apart)
    const second = await anotherTab(first)
    const agents = holdAgents(first.room.served, { kinds: ['answer'] })
    await say(first.page, 'Which queue?')
    await eventually(() => second.getByTestId('draft').count()).toBe(2)
    const late = await anotherTab(first)
    await eventually(() => late.getByTestId('draft').count()).toBe(2)
    await agents.letSpeak('gpt')
    await agents.letSpeak('claude')
    await eventually(() => speakers(first.page)).toEqual(['you', 'gpt', 'claude'])
    for (const page of [second, late]) await eventually(() => shown(page)).toEqual(await shown(first.page))
  })
})
