import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readAttachments } from './read-attachments.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attached-'))
  mkdirSync(join(folder, 'config'))
  writeFileSync(join(folder, '.env'), 'KEY=secret\n')
  writeFileSync(join(folder, 'base.json'), '{}\n')
  symlinkSync('../.env', join(folder, 'config/local'))
  symlinkSync('../base.json', join(folder, 'config/base'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const attached = (isShared: boolean, path: string) => {
  const list = async () => ['base.json', 'config/base', 'config/local']
  const project = { folder, list, hasChanged: async () => false, isShared }
  return readAttachments(project, { text: 'look', agents: [], attachments: [{ path }] }, 100)
}

it('[RD15] in a shared project a tracked link gives no ignored file away', async () => {
  await expect(attached(true, 'config/local')).rejects.toThrow('config/local: is ignored by the repository')
  expect(await attached(true, 'config/base')).toMatchObject([{ name: 'config/base', text: '{}\n' }])
  expect(await attached(false, 'config/local')).toMatchObject([{ text: 'KEY=secret\n' }])
})
