/**
 * Runs a command to its end in a process that stays for the next one: loading the product takes longer than most commands.
 * A command that starts while others run gets a process of its own, so two commands never share one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { type Finished, withoutKeys } from './convene.ts'

export interface HostRequest {
  words: string[]
  folder: string
  env: NodeJS.ProcessEnv
  /** Ends the output of the command on stdout and on stderr. */
  mark: string
}

const mark = '\0end of output\0'
const idle: ChildProcess[] = []

afterAll(() => {
  for (const host of idle.splice(0)) host.kill('SIGKILL')
})

export async function runResident(
  words: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Finished> {
  const host = idle.pop() ?? startHost()
  let running = true
  onTestFinished(() => {
    if (running) host.kill('SIGKILL')
  })
  const finished = await answerOf(host, { words, folder: cwd, env: { ...withoutKeys(process.env), ...env }, mark })
  running = false
  if (finished.signal === null && host.connected) idle.push(host)
  return finished
}

function startHost(): ChildProcess {
  return fork(join(import.meta.dirname, 'command-host.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning', '--min-semi-space-size=16'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

function answerOf(host: ChildProcess, request: HostRequest): Promise<Finished> {
  return new Promise((done) => {
    let stdout = ''
    let stderr = ''
    let code: number | undefined
    const check = () => {
      if (code === undefined || !stdout.endsWith(mark) || !stderr.endsWith(mark)) return
      end({ code, signal: null, stdout: stdout.slice(0, -mark.length), stderr: stderr.slice(0, -mark.length) })
    }
    const onStdout = (chunk: string) => {
      stdout += chunk
      check()
    }
    const onStderr = (chunk: string) => {
      stderr += chunk
      check()
    }
    const onCode = (sent: unknown) => {
      code = sent as number
      check()
    }
    const onClose = (exitCode: number | null, signal: NodeJS.Signals | null) =>
      end({ code: exitCode, signal, stdout, stderr })
    const end = (finished: Finished) => {
      host.stdout!.off('data', onStdout)
      host.stderr!.off('data', onStderr)
      host.off('message', onCode)
      host.off('close', onClose)
      done(finished)
    }
    host.stdout!.setEncoding('utf8').on('data', onStdout)
    host.stderr!.setEncoding('utf8').on('data', onStderr)
    host.on('message', onCode)
    host.on('close', onClose)
    host.send(request)
  })
}
