/** How these tests find a browser, on machines with different software. */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root, temporaryFolder } from '../support/convene.ts'

/** A stub program: logs each call, then runs this. */
interface Machine {
  programs?: Record<string, string>
  isRoot?: boolean
  env?: Record<string, string>
}

const works = 'exit 0'
const fails = 'exit 1'

async function findOn({ programs = {}, isRoot = false, env = {} }: Machine) {
  const folder = temporaryFolder({})
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const notes = join(folder, 'notes')
  for (const name of ['sh', 'chmod', 'mkdir']) symlinkSync(`/bin/${name}`, join(bin, name))
  const put = (name: string, does: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${notes}\n${does}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  for (const [name, does] of Object.entries(programs)) put(name, does.replaceAll('BIN', bin))
  const code = `import { findOrInstallBrowser } from ${JSON.stringify(join(root, 'scripts/browser.ts'))}
    console.log(JSON.stringify(findOrInstallBrowser(${isRoot})))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    env: { PATH: bin, ...env },
  })
  const found = JSON.parse(stdout.trim().split('\n').at(-1)!) as { path?: string; missing?: string }
  const called = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []
  return { path: found.path?.replace(`${bin}/`, ''), missing: found.missing, called }
}

/** `apt-get install` of these packages installs a program of the same name. */
const apt = (...available: string[]) =>
  `for word in "$@"; do case " ${available.join(' ')} " in *" $word "*)
    echo '#!/bin/sh' > BIN/$word; chmod +x BIN/$word; exit 0;; esac; done
  [ "$1" = update ]`

describe('the browser of the tests', () => {
  it('is the configured one, whatever else is installed', async () => {
    const { path, called } = await findOn({ programs: { chromium: works }, env: { CONVENE_BROWSER: '/mine' } })
    expect([path, called]).toEqual(['/mine', []])
  })

  it('is an installed one, headless first, and nothing gets installed', async () => {
    const here = { 'google-chrome': works, chromium: works, 'apt-get': works, npm: works }
    expect((await findOn({ programs: here, isRoot: true })).path).toBe('chromium')
    const all = await findOn({ programs: { ...here, 'chromium-headless-shell': works }, isRoot: true })
    expect(all.path).toBe('chromium-headless-shell')
    expect(all.called).toEqual(['chromium-headless-shell --version'])
  })

  it('is never one that cannot print its version', async () => {
    const { path } = await findOn({ programs: { 'chromium-browser': fails, 'google-chrome': works } })
    expect(path).toBe('google-chrome')
  })

  it('comes from Debian for root: the smaller package, else the usual one', async () => {
    const small = await findOn({ programs: { 'apt-get': apt('chromium-headless-shell', 'chromium') }, isRoot: true })
    expect(small.path).toBe('chromium-headless-shell')
    const usual = await findOn({ programs: { 'apt-get': apt('chromium') }, isRoot: true })
    expect(usual.path).toBe('chromium')
    const installs = usual.called.filter((line) => line.includes('install'))
    expect(installs).toHaveLength(2)
    // Another apt-get may be at work.
    expect(installs.every((line) => line.includes('Lock::Timeout'))).toBe(true)
  })

  it('comes from npm for other users, and for root if Debian has none', async () => {
    const files = 'mkdir -p node_modules/@sparticuz/chromium'
    const program = `${files} && echo '{"type":"module","exports":"./i.js"}' > node_modules/@sparticuz/chromium/package.json &&
      echo 'export default { executablePath: async () => "/carried/chromium" }' > node_modules/@sparticuz/chromium/i.js`
    const other = await findOn({ programs: { 'apt-get': apt('chromium'), npm: program } })
    expect([other.path, other.called.map((line) => line.split(' ')[0])]).toEqual(['/carried/chromium', ['npm']])
    const root = await findOn({ programs: { 'apt-get': apt(), npm: program }, isRoot: true })
    expect(root.path).toBe('/carried/chromium')
  })

  it('is missing, with the reason, if all of this fails', async () => {
    const { path, missing } = await findOn({ programs: { 'apt-get': fails, npm: fails }, isRoot: true })
    expect(path).toBeUndefined()
    expect(missing).toMatch(/no browser found, and none could be installed: .+/)
  })
})
