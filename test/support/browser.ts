/** A real browser on a served project. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Served } from './server.ts'

/** Why there is none, where there is none: those tests are then reported as skipped, with this reason. */
export const noBrowser: string | undefined =
  process.env.CONVENE_NO_BROWSER ??
  (process.env.CONVENE_BROWSER ? undefined : 'CONVENE_BROWSER names no browser; `npm test` finds or brings one')

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Browser | undefined

/** One browser for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env.CONVENE_BROWSER, args: flags })
  })
  afterAll(async () => {
    await browser?.close()
  })
}

export interface OpenPage {
  page: Page
  context: BrowserContext
  /** What the page's own code complained about. */
  complaints: string[]
}

export async function openPage(
  served: Served,
  options: { path?: string; width?: number; height?: number; dark?: boolean } = {},
): Promise<OpenPage> {
  const { path = '/', width = 1280, height = 800, dark = false } = options
  const context = await browser!.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${served.server.url}${path}?token=${served.server.token}`)
  return { page, context, complaints }
}
