/** Real commands, with and without a sandbox. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type CommandRequest,
  type CommandResult,
  type CommandSettings,
  Commands,
} from '../../src/workspace/commands/command.ts'
import { GroupStarter } from '../../src/workspace/commands/group-starter.ts'
import { startProcessGroup } from '../../src/workspace/commands/process-group.ts'
import { gone, isRunning, uniqueSeconds } from '../support/processes.ts'

const outputs: CommandResult[] = []
const cache = await mkdtemp(join(tmpdir(), 'command-cache-'))
const env = { ...process.env, XDG_CACHE_HOME: cache }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-test-'))
})
afterAll(() => rm(cache, { recursive: true, force: true }))
afterEach(async () => {
  await Promise.all(outputs.splice(0).map(({ output }) => output.remove()))
  await rm(folder, { recursive: true, force: true })
})

const settings = (more: Partial<CommandSettings> = {}): CommandSettings => ({
  sandbox: 'off',
  env,
  allowEnv: [],
  ...more,
})

const probe = await new Commands(settings()).sandboxState()

async function run(commands: Commands, command: string, request: Partial<CommandRequest> = {}) {
  const result = await commands.run({ command, folder, timeoutMs: 300_000, ...request })
  outputs.push(result)
  return result
}

/** Prints the process that started a command: above its shell, the one that reports its exit code, and the wrapper. */
const printStarter = 'wrapper=$(cut -d" " -f4 /proc/$PPID/stat); cut -d" " -f4 /proc/$wrapper/stat'

async function untilHelperStarts(commands: Commands): Promise<void> {
  await vi.waitFor(async () => expect((await run(commands, printStarter)).tail.trim()).not.toBe(`${process.pid}`), {
    timeout: 120_000,
  })
}

describe.each([
  ['off', 'here'],
  ['off', 'by a helper'],
  ['required', 'here'],
] as const)('commands with sandbox %s, started %s', (sandbox, by) => {
  const isMissing = sandbox === 'required' && !probe.available
  if (isMissing) console.warn(`skipped: commands in a sandbox: ${probe.why}. ${probe.fix}`)

  describe.skipIf(isMissing)(isMissing ? `(${probe.why})` : 'run', () => {
    const starter = by === 'here' ? { start: startProcessGroup } : new GroupStarter(0)
    const commands = new Commands(settings({ sandbox, starter }))
    if (by !== 'here') beforeEach(() => untilHelperStarts(commands))

    it('returns the exit code, and both outputs in order', async () => {
      const result = await run(commands, 'echo one; echo two >&2; echo three; exit 3')
      expect(result).toMatchObject({ exitCode: 3, ended: 'exited', sandboxed: sandbox === 'required' })
      expect(result.tail).toBe('one\ntwo\nthree\n')
      expect(await result.output.text()).toBe('one\ntwo\nthree\n')
    })

    it('returns every exit code when many commands end at once', async () => {
      const results = await Promise.all(Array.from({ length: 60 }, () => run(commands, 'sleep 0.1; exit 3')))
      expect(new Set(results.map(({ exitCode }) => exitCode))).toEqual(new Set([3]))
    })

    it('lets a command open its own output by name', async () => {
      const { tail } = await run(commands, 'echo one > /dev/stdout; echo two | tee /dev/stderr')
      expect(tail).toBe('one\ntwo\ntwo\n')
    })

    it('reports the signal that ended a command', async () => {
      expect(await run(commands, 'kill -9 $$')).toMatchObject({ exitCode: 137, ended: 'exited' })
    })

    it('runs in its folder and may write there', async () => {
      const { tail } = await run(commands, 'pwd; echo x > here')
      expect(tail.trim()).toBe(folder)
      expect(existsSync(join(folder, 'here'))).toBe(true)
    })

    it('ends a command that takes too long, with everything it started', async () => {
      const seconds = uniqueSeconds()
      const result = await run(commands, `sleep ${seconds} & wait`, { timeoutMs: 300 })
      expect(result).toMatchObject({ exitCode: 124, ended: 'timed-out' })
      await gone(seconds)
    })

    it('kills what ignores SIGTERM', async () => {
      const seconds = uniqueSeconds()
      const result = await run(commands, `trap '' TERM; sleep ${seconds}; sleep ${seconds}`, { timeoutMs: 300 })
      expect(result.exitCode).toBe(124)
      await gone(seconds)
    })

    it('does not wait for background processes of a command, and leaves none running', async () => {
      const seconds = uniqueSeconds()
      const result = await run(commands, `sleep ${seconds} & (sleep ${seconds} > /dev/null 2>&1) & echo started`)
      expect(result).toMatchObject({ exitCode: 0, ended: 'exited', tail: 'started\n' })
      await gone(seconds)
    })

    it('keeps all of a long output, and its end as text', async () => {
      const result = await run(commands, 'seq 1 300000')
      expect(result.output.bytes).toBe(1_988_895)
      expect(result.tail.length).toBe(8192)
      expect(result.tail.endsWith('299999\n300000\n')).toBe(true)
      let streamed = 0
      for await (const piece of result.output.stream()) streamed += piece.length
      expect(streamed).toBe(1_988_895)
    })

    it('ends a command that prints too much, and keeps what is allowed', async () => {
      const result = await run(commands, 'yes', { maxOutputBytes: 100_000 })
      expect(result).toMatchObject({ exitCode: 125, ended: 'too-much-output' })
      expect(result.output.bytes).toBe(100_000)
      await gone(folder)
    })

    it('ends when it is aborted, before and after its start', async () => {
      const seconds = uniqueSeconds()
      const controller = new AbortController()
      const running = run(commands, `echo started; sleep ${seconds}`, {
        signal: controller.signal,
        onOutput: () => controller.abort(),
      })
      expect(await running).toMatchObject({ exitCode: 143, ended: 'aborted' })
      await gone(seconds)
      const late = await run(commands, 'touch never', { signal: controller.signal })
      expect(late).toMatchObject({ ended: 'aborted', tail: '' })
      expect(await readdir(folder)).toEqual([])
    })

    it('survives a script that signals its whole group', async () => {
      const { exitCode, tail } = await run(commands, `trap 'echo caught; exit 7' TERM; echo before; kill 0; sleep 5`)
      expect(exitCode).toBe(7)
      expect(tail).toContain('before\ncaught\n')
    })

    it('dies with Convene, also by SIGKILL', async () => {
      const seconds = uniqueSeconds()
      const program = spawn(
        process.execPath,
        [
          join(import.meta.dirname, 'running-program.ts'),
          sandbox,
          by === 'here' ? '0' : '20',
          folder,
          `touch started; sleep ${seconds} & wait`,
        ],
        { stdio: 'inherit', env: { ...env, TMPDIR: folder } },
      )
      await vi.waitFor(() => expect(existsSync(join(folder, 'started')) && isRunning(`sleep ${seconds}`)).toBe(true), {
        timeout: 120_000,
      })
      program.kill('SIGKILL')
      await once(program, 'exit')
      await gone(seconds)
    })
  })
})

describe('a process group', () => {
  it('keeps its output until somebody reads it, also after its end', async () => {
    const group = await startProcessGroup(['/bin/sh', '-c', 'echo hello'], { folder, env })
    expect(await group.exitCode).toBe(0)
    await setTimeout(300)
    const pieces: Buffer[] = []
    for await (const piece of group.output) pieces.push(piece as Buffer)
    await group.end()
    expect(Buffer.concat(pieces).toString()).toBe('hello\n')
  })
})

describe('commands', () => {
  it('run again if the helper that started them is killed, and then without it', async () => {
    const commands = new Commands(settings({ starter: new GroupStarter(0) }))
    await untilHelperStarts(commands)
    const seconds = uniqueSeconds()
    const killed = `echo first; touch killed; kill -9 $(${printStarter}); sleep ${seconds}`
    const result = await run(commands, `if [ -e killed ]; then echo second; exit 4; fi; ${killed}`)
    expect(result).toMatchObject({ exitCode: 4, ended: 'exited', tail: 'second\n' })
    await gone(seconds)
    await untilHelperStarts(commands)
  })

  it('hides secrets from a command, and passes the listed variables', async () => {
    const env = { ...process.env, GITHUB_TOKEN: 'ghp_secret', OPENAI_API_KEY: 'sk-secret', LISTED: 'yes' }
    const commands = new Commands(settings({ env, allowEnv: ['LISTED'] }))
    const { tail } = await run(commands, 'env', { env: { ADDED: 'also' } })
    expect(tail).toContain('LISTED=yes')
    expect(tail).toContain('ADDED=also')
    expect(tail).toContain('CI=1')
    expect(tail).not.toMatch(/secret|TOKEN|API_KEY/)
  })

  it('does not split a character at the start of the tail', async () => {
    const { tail } = await run(new Commands(settings()), `i=0; while [ $i -lt 3000 ]; do printf '€€'; i=$((i+1)); done`)
    expect(tail).toMatch(/^€+$/)
    expect(Buffer.byteLength(tail)).toBeGreaterThan(8188)
  })

  it('rejects a folder that does not exist', async () => {
    await expect(run(new Commands(settings()), 'true', { folder: join(folder, 'gone') })).rejects.toMatchObject({
      code: 'folder_missing',
    })
  })

  it('refuses to run without a required sandbox, and says how to get one', async () => {
    const commands = new Commands(settings({ sandbox: 'required', env: { ...process.env, PATH: folder } }))
    const error = await run(commands, 'touch ran').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'sandbox_unavailable', path: 'build.sandbox' })
    if (process.platform === 'linux') expect(String(error)).toContain('apt-get install bubblewrap')
    expect(await readdir(folder)).toEqual([])
  })

  it('[TR9] runs without a sandbox only what is the user’s own', async () => {
    const commands = new Commands(settings({ sandbox: 'auto', env: { ...process.env, PATH: folder } }))
    if ((await commands.sandboxState()).available) return expect(process.platform).toBe('darwin')
    const error = await run(commands, 'touch ran').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'sandbox_unavailable' })
    expect(await readdir(folder)).toEqual([])
    const own = await commands.run({ command: 'echo ran', folder, timeoutMs: 300_000, isUsersOwn: true })
    await own.output.remove()
    expect(own).toMatchObject({ tail: 'ran\n', sandboxed: false })
  })
})
