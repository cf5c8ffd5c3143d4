/** What happens to a command that uses too much of the machine, or that leaves something behind. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands } from '../../src/workspace/commands/command.ts'
import { gone, uniqueSeconds } from '../support/processes.ts'

// Without a sandbox on this machine, the rows of `off` still show that the limits hold.
const { available } = await new Commands({
  sandbox: 'required',
  env: { PATH: process.env.PATH },
  allowEnv: [],
}).sandboxState()

const megabyte = 1024 * 1024
const limits = { memoryBytes: 300 * megabyte, processes: 60, fileBytes: megabyte }

describe.each(available ? (['required', 'off'] as const) : (['off'] as const))('limits with sandbox %s', (sandbox) => {
  let folder: string
  let neighbour: ReturnType<typeof spawn>

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limits-test-'))
    neighbour = spawn('sleep', ['600'], { stdio: 'ignore' })
  })
  afterEach(async () => {
    // Nothing but the command was ended.
    expect(neighbour.exitCode ?? neighbour.signalCode).toBeNull()
    neighbour.kill()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(command: string) {
    const env = { PATH: process.env.PATH }
    const commands = new Commands({ sandbox, env, allowEnv: [], limits })
    const result = await commands.run({ command, folder, timeoutMs: 300_000 })
    await result.output.remove()
    return result
  }

  // Bounded: if the limit fails, the test fails and the machine lives.
  it('[TR11] end a command that starts too many processes', async () => {
    const { ended, tail } = await run('i=0; while [ $i -lt 400 ]; do sleep 600 & i=$((i+1)); done; wait')
    expect(ended).toBe('too-many-processes')
    expect(tail).toContain('build.limits.processes')
  })

  it('[TR11] end a command that takes the memory', async () => {
    const hog = 'const all = []; setInterval(() => all.push(Buffer.alloc(8 << 20, 1)), 5)'
    const { ended, tail } = await run(`node -e '${hog}'`)
    expect(ended).toBe('out-of-memory')
    expect(tail).toContain('300 MB of memory (build.limits.memory_mb)')
  })

  it('[TR11] end a command that writes a huge file', async () => {
    const { ended, exitCode, tail } = await run('head -c 3000000 /dev/zero > huge')
    expect(ended).toBe('file-too-large')
    expect(exitCode).not.toBe(0)
    expect(tail).toContain('1 MB (build.limits.file_mb)')
    expect((await stat(join(folder, 'huge'))).size).toBe(megabyte)
    const refused = "require('fs').writeFileSync('other', Buffer.alloc(3000000))"
    expect((await run(`node -e "${refused}"`)).ended).toBe('file-too-large')
  })

  it('[TR11] leave an ordinary command alone', async () => {
    expect(await run('for i in 1 2 3 4 5; do sleep 0.3 & done; wait; echo done')).toMatchObject({
      ended: 'exited',
      exitCode: 0,
      tail: 'done\n',
    })
  })

  it('[TR9] end daemons with the command', async () => {
    const seconds = uniqueSeconds()
    const { tail } = await run(
      `(setsid sh -c 'cd /; (sleep ${seconds} >/dev/null 2>&1 </dev/null &)' >/dev/null 2>&1 &); sleep 0.2; echo left`,
    )
    expect(tail).toBe('left\n')
    await gone(seconds)
    expect(existsSync(folder)).toBe(true)
  })
})
