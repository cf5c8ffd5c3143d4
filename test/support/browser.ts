/** A real browser on a served project. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished } from 'vitest'

/** Why there is no browser; browser tests are then reported as skipped, with this reason. */
const noBrowser: string | undefined =
  process.env.CONVENE_NO_BROWSER ||
  (process.env.CONVENE_BROWSER ? undefined : 'CONVENE_BROWSER names no browser; `npm test` finds or installs one')

export interface OpenPage {
  page: Page
  context: BrowserContext
  /** Errors of the pages of this context. A test that ends with any has failed. */
  complaints: string[]
}

let browser: Browser | undefined
const opened = new Set<OpenPage>()

/** Defines tests that share one browser. Each test fails if one of its pages logged an error. */
export function inBrowser(title: string, tests: () => void): void {
  if (noBrowser !== undefined) console.warn(`skipped: ${title}: ${noBrowser}`)
  describe.skipIf(noBrowser !== undefined)(noBrowser === undefined ? title : `${title} (${noBrowser})`, () => {
    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: process.env.CONVENE_BROWSER,
        args: ['--no-sandbox', '--disable-gpu'],
      })
    })
    afterEach(async ({ task }) => {
      const pages = [...opened]
      opened.clear()
      if (task.result?.state === 'fail') await Promise.all(pages.map((each, index) => picture(each, task.id, index)))
      else expect(pages.flatMap(({ complaints }) => complaints)).toEqual([])
    })
    afterAll(() => browser?.close())
    tests()
  })
}

export interface PageOptions {
  path?: string
  width?: number
  height?: number
  dark?: boolean
  /** Bypasses the server's content security policy: the page alone must keep untrusted text from running. */
  withoutPolicy?: boolean
  /** Errors that are not the page's fault, such as those of a server that the test itself kills. */
  expected?: RegExp
}

export async function openPage(
  served: { server: { url: string; token: string } },
  { path = '/', width = 1280, height = 800, dark = false, withoutPolicy = false, expected }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser!.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    bypassCSP: withoutPolicy,
  })
  context.setDefaultTimeout(60_000)
  onTestFinished(() => context.close())
  const complaints: string[] = []
  const complain = (text: string) => {
    if (!expected?.test(text)) complaints.push(text)
  }
  context.on('weberror', (error) => complain(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`${message.text()} (${message.location().url})`)
  })
  const page = await context.newPage()
  const open = { page, context, complaints }
  opened.add(open)
  await page.goto(`${served.server.url}${path}?token=${served.server.token}`)
  return open
}

/** Polls until the assertion holds. */
export const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 60_000, interval: 30 })

async function picture({ page, complaints }: OpenPage, test: string, index: number): Promise<void> {
  const path = join(tmpdir(), `convene-${test}-${index}.png`)
  const taken = await page.screenshot({ path, timeout: 5_000 }).then(
    () => true,
    () => false,
  )
  console.error(taken ? `the page as it was: ${path}` : 'the page was gone', complaints)
}
