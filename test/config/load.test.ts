import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { ConveneError } from '../../src/kernel/errors.ts'

let top: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'convene-config-')))
  mkdirSync(join(top, 'repo/.git'), { recursive: true })
  mkdirSync(join(top, 'repo/deep/er'), { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const write = (path: string, text: string | Buffer) => writeFileSync(join(top, path), text)
const load = (folder: string, env: Record<string, string> = {}) => loadConfig({ folder: join(top, folder), env })

describe('finding convene.yaml', () => {
  it('uses the nearest file upwards, and its folder as the project', () => {
    write('repo/convene.yaml', 'agents: {a: {provider: rehearsal, script: lines.yaml}}')
    const loaded = load('repo/deep/er')
    expect(loaded).toMatchObject({ folder: join(top, 'repo'), file: join(top, 'repo/convene.yaml') })
    expect(loaded.config.agents.a).toMatchObject({ script: join(top, 'repo/lines.yaml') })
  })

  it('prefers the nearer of two', () => {
    write('repo/convene.yaml', 'budget: {calls: 1}')
    write('repo/deep/convene.yaml', 'budget: {calls: 2}')
    expect(load('repo/deep/er').config.budget.calls).toBe(2)
  })

  it('ignores a file above the repository', () => {
    write('convene.yaml', 'budget: {calls: 1}')
    expect(load('repo/deep')).toMatchObject({ folder: join(top, 'repo'), config: { budget: { calls: 1000 } } })
    expect(load('repo/deep').file).toBeUndefined()
  })

  it('works without a file', () => {
    mkdirSync(join(top, 'plain'))
    expect(load('plain')).toMatchObject({ folder: join(top, 'plain'), config: { agents: {} } })
  })

  it('uses the file that CONVENE_CONFIG names', () => {
    write('repo/convene.yaml', 'budget: {calls: 1}')
    write('repo/deep/other.yaml', 'budget: {calls: 9}')
    expect(load('repo', { CONVENE_CONFIG: 'deep/other.yaml' })).toMatchObject({
      config: { budget: { calls: 9 } },
      folder: join(top, 'repo/deep'),
    })
    expect(() => load('repo', { CONVENE_CONFIG: 'gone.yaml' })).toThrow(
      /CONVENE_CONFIG names .*gone\.yaml, which does not exist/,
    )
  })
})

describe('files that cannot be read', () => {
  it.each(['convene.yml', '.convene.yaml'])('%s is refused, not ignored', (name) => {
    write(`repo/${name}`, 'budget: {calls: 1}')
    expect(() => load('repo')).toThrow(/rename it/)
  })

  it('a folder of that name', () => {
    mkdirSync(join(top, 'repo/convene.yaml'))
    expect(() => load('repo')).toThrow(/is not a file that can be read/)
  })

  it('text in another encoding, and a file that is far too large', () => {
    write('repo/convene.yaml', Buffer.from([0xff, 0xfe, 0x61, 0x00]))
    expect(() => load('repo')).toThrow(/not UTF-8/)
    write('repo/convene.yaml', `# ${'x'.repeat(1_100_000)}`)
    expect(() => load('repo')).toThrow(/larger than 1 MB/)
  })

  it('a file without read permission, except for root', () => {
    write('repo/convene.yaml', 'budget: {calls: 1}')
    chmodSync(join(top, 'repo/convene.yaml'), 0)
    if (process.getuid?.() === 0) expect(load('repo').config.budget.calls).toBe(1)
    else expect(() => load('repo')).toThrow(/cannot be read \(EACCES\)/)
  })

  it('a broken link, or one to itself', () => {
    symlinkSync('gone.yaml', join(top, 'repo/convene.yaml'))
    expect(() => load('repo')).toThrow(/not a file that can be read/)
    symlinkSync('convene.yaml', join(top, 'repo/deep/convene.yaml'))
    expect(() => load('repo/deep')).toThrow(/not a file that can be read/)
  })

  it('names the file relative to the working folder', () => {
    write('repo/convene.yaml', 'agents: {}\nagnets: {}\n')
    expect(() => load('repo')).toThrow("unknown key 'agnets' at convene.yaml:2; did you mean 'agents'?")
    expect(() => load('repo/deep')).toThrow('at ../convene.yaml:2;')
    expect(() => load('repo')).toThrow(ConveneError)
  })

  it('accepts a byte order mark and Windows line ends', () => {
    write('repo/convene.yaml', '\uFEFFbudget:\r\n  calls: 4\r\nshipp: 1\r\n')
    expect(() => load('repo')).toThrow("unknown key 'shipp' at convene.yaml:3")
  })
})
