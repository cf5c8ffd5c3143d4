/** The first starts of a fresh clone: they install what is missing once, also where several come at the same time. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { root } from '../support/convene.ts'

/** A clone with one dependency, which lies in it. */
function freshClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'convene-test-'))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  const write = (path: string, content: object) => writeFileSync(join(clone, path), JSON.stringify(content))
  mkdirSync(join(clone, 'part'))
  write('part/package.json', { name: 'part', version: '1.0.0' })
  write('package.json', { name: 'clone', private: true, dependencies: { part: 'file:./part' } })
  const made = spawnSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: clone })
  expect(made.status, String(made.stderr)).toBe(0)
  return clone
}

function start(clone: string): Promise<{ code: number | null; said: string }> {
  const script = 'root=$1; . "$2"; install_dependencies && [ -e "$root/node_modules/part/package.json" ]'
  const child = spawn('sh', ['-c', script, 'sh', clone, join(root, 'bin/environment.sh')])
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })))
}

it('starts at the same time install the dependencies once, and all find them', async () => {
  const clone = freshClone()
  const starts = await Promise.all([1, 2, 3].map(() => start(clone)))
  expect(starts.map(({ code }) => code)).toEqual([0, 0, 0])
  const said = starts.map((one) => one.said).join('')
  expect(said.match(/installing dependencies/g)).toHaveLength(1)
  expect(existsSync(join(clone, '.runtime/turn'))).toBe(false)
  expect(await start(clone)).toEqual({ code: 0, said: '' })
})

it('a start that was killed while it installed keeps nobody waiting', async () => {
  const clone = freshClone()
  const gone = spawnSync('sh', ['-c', 'echo $$']).stdout.toString()
  mkdirSync(join(clone, '.runtime'))
  writeFileSync(join(clone, '.runtime/turn'), gone)
  expect(await start(clone)).toMatchObject({ code: 0, said: expect.stringContaining('installing dependencies') })
})
