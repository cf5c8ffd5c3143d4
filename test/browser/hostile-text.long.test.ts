/**
 * Text that tries to run as code. The page runs without the server's content security policy here, so it has to be
 * safe on its own.
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Line } from '../room/open-room.ts'
import { eventually, inBrowser } from '../support/browser.ts'
import { chooseMode, collaborate, enterRoom, itemBy, say, sessionEnd, textOf, whyPanel } from './room-page.ts'

const mark = 'window.__pwned=(window.__pwned||0)+1'
const hostile = [
  `<script>${mark}</script>`,
  `<img src=x onerror="${mark}">`,
  `<svg onload="${mark}"><a href="javascript:${mark}">svg</a></svg>`,
  `<iframe srcdoc="<script>parent.${mark}</script>"></iframe>`,
  `<a href="javascript:${mark}">raw link</a>`,
  `[marked link](javascript:${mark})`,
  `[shouting link](JaVaScRiPt:${mark})`,
  `[data link](data:text/html,<script>${mark}</script>)`,
  `<javascript:${mark}>`,
  '![picture](https://elsewhere.invalid/pixel.png)',
  `![handler](x" onerror="${mark})`,
  `<details open ontoggle="${mark}">details</details>`,
  `<style>body{display:none}</style>`,
  `<form action="javascript:${mark}"><button>push</button></form>`,
].join('\n\n')

inBrowser('text that is hostile', () => {
  it('never runs from a name, a message, a proposal or an answer', async () => {
    const script: Line[] = [
      {
        when: { ask: 'micro-proposal', agent: 'gpt' },
        reply: { angle: hostile, confidence: 0.9, covers: [hostile, 'a'] },
      },
      {
        when: { ask: 'micro-proposal', agent: 'claude' },
        reply: { angle: 'quite other words', confidence: 0.8, covers: [`<img src=x onerror="${mark}">`] },
      },
      { when: { ask: 'answer', agent: 'gpt' }, text: hostile, stream_ms: 200 },
      { when: { ask: 'answer', agent: 'claude' }, text: hostile },
    ]
    const name = `<img src=x onerror="${mark}">`
    const { page } = await enterRoom(script, { name, withoutPolicy: true })
    const strangers = requestsElsewhere(page)
    await eventually(() => textOf(page.getByRole('heading', { level: 1 }))).toBe(name)
    await say(page, hostile)
    await itemBy(page, 'gpt').waitFor()
    await itemBy(page, 'claude').waitFor()
    await whyPanel(page).getByTestId('proposal').first().waitFor()
    await clickEverything(page, 'article')
    expect(await harm(page)).toEqual([])
    expect(strangers).toEqual([])
  })

  it('never runs from a turn, a hand-off, an unreadable reply, or the composer', async () => {
    const task = `<img src=x onerror="${mark}"> <script>${mark}</script>`
    const { page } = await enterRoom(
      [
        { when: { ask: 'turn', round: 1 }, reply: { message: hostile, handoff: { to: 'claude', task } } },
        { when: { ask: 'turn', round: 2 }, text: hostile },
      ],
      { withoutPolicy: true },
    )
    const strangers = requestsElsewhere(page)
    await collaborate(page)
    await say(page, hostile)
    await eventually(() => sessionEnd(page).getAttribute('data-reason')).toBe('malformed')
    await say(page, `/nothing<img src=x onerror="${mark}">`)
    await chooseMode(page, 'Single call')
    await page.getByRole('button', { name: 'New room' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(`<img src=x onerror="${mark}">`)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'onerror' }).waitFor()
    await page.getByRole('link', { name: 'Room 1' }).click()
    await itemBy(page, 'gpt').waitFor()
    await clickEverything(page, 'article')
    expect(await harm(page)).toEqual([])
    expect(strangers).toEqual([])
  })
})

/** Everything in a text that looks clickable. */
async function clickEverything(page: Page, where: string): Promise<void> {
  const popups: Promise<unknown>[] = []
  page.context().on('page', (popup) => popups.push(popup.close().catch(() => {})))
  await page.locator(where).evaluateAll((places) => {
    for (const place of places)
      for (const each of place.querySelectorAll('a, span, summary')) (each as HTMLElement).click()
  })
  await Promise.all(popups)
}

/** What ran, or could have, inside the transcript and the panel. */
function harm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = [...document.querySelectorAll('main *, aside *, [role=dialog] *')].filter(
      (each) =>
        each.matches('script, img, iframe, object, embed, style, link, base, [srcdoc], form[action]') ||
        [...each.attributes].some(({ name, value }) => /^on/i.test(name) || /^\s*(javascript|data):/i.test(value)),
    )
    const ran = (window as { __pwned?: number }).__pwned
    return [...(ran === undefined ? [] : [`ran ${ran} times`]), ...found.map((each) => each.outerHTML.slice(0, 200))]
  })
}

function requestsElsewhere(page: Page): string[] {
  const home = new URL(page.url()).origin
  const found: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(home) && !request.url().startsWith('data:')) found.push(request.url())
  })
  return found
}
