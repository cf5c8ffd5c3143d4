import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { relocateSetup, settleSetup } from './relocate-setup.ts'

const record = '.pnpm-workspace-state-v1.json'
const text = '{"lastValidatedTimestamp": 5, "settings": {}}'
let folder: string
let modules: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'convene-relocate-'))
  modules = join(folder, 'slot', 'node_modules')
  mkdirSync(modules, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

it("keeps pnpm's record newer than every manifest", async () => {
  writeFileSync(join(modules, record), text)
  await settleSetup(join(folder, 'slot'), ['node_modules'])
  expect(JSON.parse(readFileSync(join(modules, record), 'utf8'))).toEqual({
    lastValidatedTimestamp: Number.MAX_SAFE_INTEGER,
    settings: {},
  })
})

it('writes through no link that a set-up left, and waits for no pipe', async () => {
  const own = join(folder, 'own.json')
  writeFileSync(own, text)
  symlinkSync(own, join(modules, record))
  execFileSync('mkfifo', [join(modules, '.pnpm-workspace-state-v2.json')])
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(folder, 'elsewhere', record), text)
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'slot', 'linked'))
  await settleSetup(join(folder, 'slot'), ['node_modules', 'linked'])
  expect(readFileSync(own, 'utf8')).toBe(text)
  expect(readFileSync(join(folder, 'elsewhere', record), 'utf8')).toBe(text)
})

it('names the new place in settings of Python environments', async () => {
  const venv = join(folder, 'slot', '.venv')
  mkdirSync(venv)
  writeFileSync(join(venv, 'pyvenv.cfg'), 'command = /old/place/python -m venv /old/place/.venv\n')
  await relocateSetup(['.venv'], { from: '/old/place', to: join(folder, 'slot') })
  expect(readFileSync(join(venv, 'pyvenv.cfg'), 'utf8')).not.toContain('/old/place')
})
