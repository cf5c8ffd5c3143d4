import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readLeftFile, readLeftFileSync } from './read-left-file.ts'

it('[TR5] reads a regular file, and neither a pipe, a device, a link, a folder nor a huge file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'convene-left-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)
  writeFileSync(at('report'), 'passed\n')
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('report', at('link'))
  writeFileSync(at('huge'), '')
  truncateSync(at('huge'), 70_000_000)
  const read = async (path: string, options = {}) => {
    const text = await readLeftFile(path, options)
    expect(readLeftFileSync(path, options)).toBe(text)
    return text
  }
  expect(await read(at('report'))).toBe('passed\n')
  for (const path of [at('pipe'), at('link'), at('huge'), at('none'), folder, '/dev/zero'])
    expect([path, await read(path)]).toEqual([path, ''])
  expect(await read(at('link'), { links: true })).toBe('passed\n')
})
