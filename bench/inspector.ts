/**
 * How long a run of a hundred thousand events takes to open in a browser: until its timeline and its newest events are
 * visible.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { findOrInstallBrowser } from '../scripts/browser.ts'
import { buildWebApp } from '../scripts/web-app.ts'
import { sessionFor } from '../src/serve/people/people.ts'
import type { Bench } from './bench.ts'
import { layRun, run } from './inspector-run.ts'
import { median, whole } from './measure.ts'

const size = 100_000
const rounds = 5
const goalMs = 1500
const command = resolve(import.meta.dirname, '../bin/convene')

interface Visit {
  /** From entering the URL to the complete page. */
  shown: number
  overview: number
  bytes: number
}

export const inspector: Bench = async (given) => {
  const found = findOrInstallBrowser()
  if ('missing' in found) throw new Error(found.missing)
  if ((await buildWebApp()) !== 0) throw new Error('the web app could not be built')
  const folder = join(given, 'project')
  await layRun(folder, size)
  const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] })
  const load = loadavg()[0]!
  const first: Visit[] = []
  const again: Visit[] = []
  // A browser's first visit compiles programs that later ones have cached.
  await withServer(folder, (served) => visit(browser, served))
  for (let round = 0; round < rounds; round++)
    await withServer(folder, async (served) => {
      first.push(await visit(browser, served))
      again.push(await visit(browser, served))
    })
  await browser.close()
  const opened = median(first.map(({ shown }) => shown))
  return {
    goals: [
      {
        measure: 'a run of 100,000 events opens, first visit after the server began',
        goal: '< 1.5 s',
        found: ms(first.map(({ shown }) => shown)),
        met: opened < goalMs,
      },
    ],
    settings: [
      `${whole(size)} events of one run with 281 below it, in the log of one project; served by a process of its own, opened in headless Chromium by a new visitor each time, from the address until bars of the time line and the newest event are drawn. Medians of ${rounds}.`,
      'First visit: the server has just begun and has folded nothing yet. Again: another visitor of the same server.',
      `The load of the machine was ${load.toFixed(1)} when it began.`,
    ],
    table: {
      columns: ['', 'shown after', 'the answer it waits for', 'sent in all'],
      rows: [row('first visit', first), row('again', again)],
    },
    notes: [
      'The page never reads the log of the run: it gets a folded view that is as large for a million events, and the last sixty events.',
    ],
  }
}

const ms = (values: number[]) => `${whole(median(values))} ms`

function row(name: string, visits: readonly Visit[]): string[] {
  const bytes = median(visits.map((each) => each.bytes))
  return [
    name,
    ms(visits.map(({ shown }) => shown)),
    ms(visits.map(({ overview }) => overview)),
    `${whole(bytes / 1000)} kB`,
  ]
}

interface Served {
  url: string
  token: string
}

async function visit(browser: Browser, { url, token }: Served): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await context.addCookies([{ name: `convene_${new URL(url).port}`, value: sessionFor(token, url), url }])
  const page = await context.newPage()
  await page.addInitScript(noteWhenShown)
  await page.goto(`${url}/runs/${run}`)
  const shown = (await page.waitForFunction(() => (globalThis as { shownAfter?: number }).shownAfter)).jsonValue()
  const loads = page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const overview = all.find(({ name }) => name.endsWith('/overview'))
    return {
      overview: overview?.duration ?? 0,
      bytes: all.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    }
  })
  const visited = { shown: (await shown)!, ...(await loads) }
  await context.close()
  return visited
}

/** In the page: when bars and the newest event are visible, measured from navigation. */
function noteWhenShown(): void {
  const look = () => {
    const newest = document.querySelector('[data-testid=newest-line]')
    if (!document.querySelector('[data-testid=bar]') || !newest?.textContent?.includes('run.finished')) return
    watcher.disconnect()
    requestAnimationFrame(() =>
      requestAnimationFrame(() => Object.assign(globalThis, { shownAfter: performance.now() })),
    )
  }
  const watcher = new MutationObserver(look)
  watcher.observe(document, { subtree: true, childList: true, characterData: true })
}

async function withServer(folder: string, work: (served: Served) => Promise<unknown>): Promise<void> {
  const child = spawn(command, ['serve', '--port', '0'], { cwd: folder })
  try {
    const url = await new Promise<string>((found, failed) => {
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += chunk
        const address = /http:\/\/[\w.:]+/.exec(text)?.[0]
        if (address && /:\d+/.test(address.slice(7))) found(address)
      })
      child.on('error', failed)
      child.on('close', () => failed(new Error(`the server ended: ${text}`)))
    })
    await work({ url, token: readFileSync(join(folder, '.convene/token'), 'utf8').trim() })
  } finally {
    const ended = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
}
