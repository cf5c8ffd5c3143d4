/** Runs a measuring script as a person does: real files, a real process. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** `name` is that of the script, such as `eval-dispatch`. Call it once, at the top of a test file. */
export function evaluation(name: string) {
  const script = join(import.meta.dirname, '..', 'scripts', `${name}.ts`)
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), `${name}-`))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    file(of: string, lines: readonly unknown[]): string {
      const path = join(folder, of)
      writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
      return path
    },
    run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
      return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', cwd: folder })
    },
  }
}
