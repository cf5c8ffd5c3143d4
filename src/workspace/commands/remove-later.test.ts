import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeLater } from './remove-later.ts'

function filled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'later-'))
  for (let n = 0; n < 20; n++) {
    mkdirSync(join(folder, `${n}`, 'below'), { recursive: true })
    writeFileSync(join(folder, `${n}`, 'below', 'file'), '')
  }
  return folder
}

it('removes a folder, and one that is gone already', async () => {
  const folder = filled()
  await removeLater(folder)
  expect(existsSync(folder)).toBe(false)
  await removeLater(folder)
})

it('removes it before the process ends, also if that ends at once', () => {
  const folder = filled()
  const module = join(import.meta.dirname, 'remove-later.ts')
  const program = `import { removeLater } from ${JSON.stringify(module)}; removeLater(${JSON.stringify(folder)}); process.exit()`
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program])
  expect(existsSync(folder)).toBe(false)
})
