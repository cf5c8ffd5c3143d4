/**
 * `npm run screenshots`: plays the sample project and takes a picture of each floor for the README, in `docs/pictures/`.
 * The same pages at the width of a phone go to a temporary folder, to be checked by eye.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/kernel/config/load.ts'
import { startServer } from '../src/serve/server.ts'
import { findOrInstallBrowser } from './browser.ts'
import { makeSample } from './sample-project.ts'
import { buildWebApp } from './web-app.ts'

const pictures = resolve(import.meta.dirname, '../docs/pictures')
const playMs = 180_000

interface Picture {
  name: string
  /** The ship that made what it shows: the notices about it are dismissed. */
  ship: string
  /** The address of the page. */
  path: string
  /** Present once the page is complete. */
  shows: string
}

if ((await buildWebApp()) !== 0) process.exit(1)
const found = findOrInstallBrowser()
if ('missing' in found) {
  console.error(found.missing)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'convene-screenshots-'))
const phone = mkdtempSync(join(tmpdir(), 'convene-screenshots-390-'))
const sample = join(folder, 'sample')
await makeSample(sample)
const env = { PATH: process.env.PATH ?? '', HOME: folder }
const app = await createApp(loadConfig({ folder: sample, env }), env)
const server = await startServer(app, { port: 0, version: 'screenshots', env })
const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const taken = await playSample(browser)
  mkdirSync(pictures, { recursive: true })
  await takePictures(browser, taken, pictures, { width: 1280, height: 800 })
  await takePictures(browser, taken, phone, { width: 390, height: 844 })
  console.log(`${taken.length} pictures in docs/pictures; at 390 pixels in ${phone}`)
} finally {
  await browser.close()
  await server.close()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Ships the sample goal, and returns which page shows what on each floor. */
async function playSample(browser: Browser): Promise<Picture[]> {
  const page = await open(browser, { width: 1280, height: 800 }, '/')
  await page.getByRole('button', { name: 'Ship the sample goal' }).click()
  const strip = page.getByTestId('ship-strip')
  await page.locator('[data-testid="ship-strip"][data-status="done"]').waitFor({ timeout: playMs })
  const address = (stage: string) => strip.locator(`a[data-stage="${stage}"]`).getAttribute('href')
  const [plan, feature] = await Promise.all(['plan', 'build'].map(address))
  const [message] = await app.store.read({ types: ['message.posted'] })
  const builds = await app.store.read({ types: ['node.started'] })
  // The issue that was built in parts has the richest graph.
  const parts = builds.filter(({ data }) => ((data as { path: string[] }).path ?? []).length > 1)
  const build = /^.*\/build(?=\/|$)/.exec(parts[0]!.run!)![0]
  const room = message!.stream.slice('room:'.length)
  const { message_id } = message!.data as { message_id: string }
  const [started] = await app.store.read({ types: ['ship.started'] })
  const ship = started!.run!
  await page.context().close()
  return [
    { ship, name: 'room', path: `/rooms/${room}/messages/${message_id}`, shows: '[data-testid="why"]' },
    { ship, name: 'plan', path: plan!, shows: '[data-testid="plan-status"]' },
    { ship, name: 'build', path: `/builds/${encodeURIComponent(build)}`, shows: '[data-node]' },
    { ship, name: 'ship', path: feature!, shows: '[data-issue]' },
  ]
}

async function takePictures(
  browser: Browser,
  wanted: readonly Picture[],
  into: string,
  size: { width: number; height: number },
): Promise<void> {
  for (const { name, path, shows, ship } of wanted) {
    const page = await open(browser, size, path, ship)
    await page.locator(shows).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    // Charts and graphs are laid out after their data has arrived.
    await page.waitForTimeout(1500)
    await page.screenshot({ path: join(into, `${name}.png`), animations: 'disabled', caret: 'hide' })
    await page.context().close()
  }
}

async function open(
  browser: Browser,
  size: { width: number; height: number },
  path: string,
  dismissed?: string,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  // The test command may name this machine's Node by its path, which belongs in no picture.
  await context.route('**/api/builds/*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(process.execPath, 'node') })
  })
  if (dismissed !== undefined)
    await context.addInitScript((ship) => {
      for (const notice of ['ship-dismissed', 'sample-end-dismissed'])
        localStorage.setItem(`convene.${notice}`, JSON.stringify(ship))
    }, dismissed)
  const page = await context.newPage()
  await page.goto(`${server.url}/?token=${server.token}`)
  await page.goto(server.url + path)
  return page
}
