import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { detect } from '../../src/agents/detect/detect.ts'
import { thisMachine } from '../../src/agents/detect/machine.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'convene-machine-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, script: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}
const env = () => ({ PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder })

describe('the real machine', () => {
  it('is described without throwing, with the Node that runs this test', async () => {
    const detection = await detect({ folder: process.cwd(), env: process.env })
    expect(detection.node).toMatchObject({ detail: process.versions.node })
    expect(detection.git).toMatchObject({ state: 'ok' })
    expect(detection.project).toMatchObject({ tool: 'npm', setup: 'npm ci', test: 'npm test' })
  })

  it('finds only executable programs on the PATH', async () => {
    const machine = thisMachine(env())
    const file = program('gemini', 'echo 0.9.1')
    writeFileSync(join(folder, 'codex'), 'not a program')
    expect(machine.find('gemini')).toBe(file)
    expect(machine.find('codex')).toBeUndefined()
    const { codingAgents } = await detect({ folder, env: env(), machine })
    expect(codingAgents).toContainEqual(
      expect.objectContaining({ agent: 'gemini-cli', version: '0.9.1', state: 'old' }),
    )
  })

  it('hides secrets from programs, and removes the variables of git hooks', async () => {
    const file = program('show', 'echo "key=$MY_API_KEY dir=$GIT_DIR kept=$KEPT update=$DISABLE_AUTOUPDATER"')
    const machine = thisMachine({ ...env(), MY_API_KEY: 'x9-y8-z7-w6', GIT_DIR: '/elsewhere', KEPT: 'yes' })
    expect(await machine.run(file, [])).toEqual({ ok: true, output: 'key= dir= kept=yes update=1\n' })
  })

  it('reports how a program failed', async () => {
    const machine = thisMachine(env())
    expect(await machine.run(program('fails', 'echo no >&2; exit 3'), [])).toEqual({
      ok: false,
      reason: 'ended with code 3',
      output: 'no\n',
    })
    expect(await machine.run(program('dies', 'kill -9 $$'), [])).toMatchObject({
      ok: false,
      reason: 'ended by SIGKILL',
    })
    expect(await machine.run(join(folder, 'gone'), [])).toMatchObject({ ok: false, reason: 'does not start (ENOENT)' })
  })

  it('kills a program that hangs, and its child', async () => {
    const file = program('hangs', `sleep 300 & echo $! > '${folder}/child'; wait`)
    const answer = await thisMachine(env(), { limitMs: 500 }).run(file, [])
    expect(answer).toMatchObject({ ok: false, reason: 'did not finish within 0.5 s' })
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'))
    while (isAlive(child)) await pause(20)
    expect(isAlive(child)).toBe(false)
  })
})

/** A process that ended and was not yet collected still has its number. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
