/** Finds a Chromium for the browser tests, or installs one: Debian's as root, else one from npm. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installFromDebian } from './debian.ts'

export type Browser = { path: string } | { missing: string }

/** Headless first: the tests take a quarter less time in it. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

/** Debian's packages, the smaller one first. Not every release has it. */
const packages = ['chromium-headless-shell', 'chromium'].map((name) => [name, 'fonts-dejavu-core'])

export function findOrInstallBrowser(isRoot = process.getuid?.() === 0): Browser {
  const found = process.env.CONVENE_BROWSER || onPath()
  if (found) return { path: found }
  installFromDebian('a browser', packages, isRoot)
  const installed = isRoot ? onPath() : undefined
  return installed ? { path: installed } : fromNpm()
}

/** Some systems have a stub of this name that only says where to get a browser: require a version. */
function onPath(): string | undefined {
  for (const name of names) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    const path = stdout?.trim()
    if (status === 0 && path && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0) return path
  }
  return undefined
}

/** `@sparticuz/chromium` contains a browser and unpacks it on first use. */
function fromNpm(): Browser {
  const folder = resolve('.runtime/browser')
  const note = join(folder, 'path')
  if (existsSync(note)) return { path: readFileSync(note, 'utf8') }
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    console.log('installing a browser for the tests (@sparticuz/chromium) …')
    execFileSync(
      'npm',
      ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '@sparticuz/chromium@153.0.0'],
      { cwd: folder },
    )
    const code =
      "import('@sparticuz/chromium').then(async ({ default: chromium }) => console.log(await chromium.executablePath()))"
    // Beside its package: the folder for temporary files is shared, and a sandbox has one of its own.
    const env = { ...process.env, TMPDIR: folder }
    const path = execFileSync(process.execPath, ['-e', code], { cwd: folder, encoding: 'utf8', env }).trim()
    writeFileSync(note, path)
    return { path }
  } catch (error) {
    return { missing: `no browser found, and none could be installed: ${(error as Error).message}` }
  }
}
