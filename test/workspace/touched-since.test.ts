import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { touchedSince } from '../../src/workspace/worktrees/touched-since.ts'
import { temporaryFolder } from '../support/convene.ts'

it('[TR7] notices a test that was rewritten, whatever its times say afterwards', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'test/unit'), { recursive: true })
  const files = ['test/unit/a.test.js', 'test/data.txt', 'jest.config.js']
  for (const file of files) writeFileSync(join(root, file), 'x')
  const watched = { whole: ['test'], flat: [''], counts: (path: string) => path.endsWith('.js') }
  await pause(60)
  const since = Date.now()
  expect(touchedSince(root, watched, since)).toBe(false)
  writeFileSync(join(root, 'test/data.txt'), 'y')
  expect(touchedSince(root, watched, since)).toBe(false)
  for (const file of ['test/unit/a.test.js', 'jest.config.js']) {
    writeFileSync(join(root, file), 'y')
    utimesSync(join(root, file), 1, 1)
    expect(touchedSince(root, watched, since)).toBe(true)
    await pause(60)
    expect(touchedSince(root, watched, Date.now())).toBe(false)
  }
})
