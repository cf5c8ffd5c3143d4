/** Proves what the sandbox promises by trying: a command attempts each of the things that it must not be able to do. */
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadedConfig } from '../kernel/config/load.ts'
import { stateFolderOf } from '../kernel/owner-address.ts'
import { isWithin } from '../rules/build/path-confinement.ts'
import { commandLimits } from '../rules/trust/command-limits.ts'
import { type CommandResult, Commands } from '../workspace/commands/command.ts'
import { isRunning } from '../workspace/commands/is-alive.ts'
import { processIds } from '../workspace/commands/process-table.ts'
import { quoted } from '../workspace/commands/quoted.ts'
import { toolchains } from '../workspace/commands/toolchains.ts'

export interface SandboxPromise {
  name: string
  holds: boolean
  detail: string
}

export interface SandboxProof {
  sandbox: string | null
  /** Why there is no sandbox, and how to get one. */
  why?: string
  fix?: string
  promises: SandboxPromise[]
}

const secret = { name: 'CONVENE_PROBE_API_KEY', value: 'sk-probe-0123456789abcdef' }

export async function proveSandbox(project: LoadedConfig, env: NodeJS.ProcessEnv): Promise<SandboxProof> {
  const { build } = project.config
  const settings = {
    // With `off`, the attempts show what a command can do without one.
    sandbox: build.sandbox,
    env: { ...env, [secret.name]: secret.value },
    allowEnv: build.env,
    hide: [stateFolderOf(project), project.folder],
    limits: commandLimits(build.limits),
  }
  const commands = new Commands(settings)
  const { available, kind, why, fix } = await commands.sandboxState()
  if (!available && build.sandbox !== 'off')
    return { sandbox: null, ...(why ? { why } : {}), ...(fix ? { fix } : {}), promises: [] }
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'convene-proof-')))
  const neighbour = await realpath(await mkdtemp(join(tmpdir(), 'convene-proof-')))
  const listener = await listen()
  const few = new Commands({ ...settings, limits: { ...settings.limits, processes: 24 } })
  const home = env.HOME ?? homedir()
  const checkout = project.folder
  const shown = toolchains(env)
  const isPrivate = (file: string) => !shown.some((place) => isWithin(file, place))
  try {
    const run = (command: string, by = commands) => outputOf(by, command, folder)
    return {
      sandbox: build.sandbox === 'off' ? null : (kind ?? null),
      promises: [
        await cannotRead(run, 'home folder', (await filesIn(await realpath(home).catch(() => home))).filter(isPrivate)),
        await cannotRead(run, 'checkout', [...(await filesIn(checkout)), join(checkout, '.git', 'config')]),
        await cannotWrite(run, { neighbour, home, checkout }),
        await cannotReach(run, listener),
        await seesNoSecret(run),
        await seesNoProcess(run),
        await leavesNothing(run),
        await staysWithinLimits((command) => run(command, few)),
      ],
    }
  } finally {
    listener.server.close()
    for (const path of [folder, neighbour]) await rm(path, { recursive: true, force: true })
  }
}

type Attempt = (command: string) => Promise<CommandResult>

async function outputOf(commands: Commands, command: string, folder: string): Promise<CommandResult> {
  const result = await commands.run({ command, folder, timeoutMs: 60_000 })
  await result.output.remove()
  return result
}

const [mostFiles, mostFolders] = [200, 50]

/** Real files of the user, such as keys in `.ssh`: the proof writes none. */
async function filesIn(folder: string, depth = 2): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const at = (name: string) => join(folder, name)
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => at(name))
  const folders = depth > 1 ? entries.filter((entry) => entry.isDirectory()).slice(0, mostFolders) : []
  const below = await Promise.all(folders.map(({ name }) => filesIn(at(name), depth - 1)))
  return [...files, ...below.flat()].slice(0, mostFiles)
}

async function cannotRead(run: Attempt, what: string, files: readonly string[]): Promise<SandboxPromise> {
  const name = `reads nothing of the ${what}`
  const tries = files.map((file) => `head -c 1 ${quoted(file)} >/dev/null 2>&1 && printf '%s\\n' ${quoted(file)}`)
  const { tail } = await run(`${tries.join('\n')}\ntrue`)
  const read = tail.split('\n').filter(Boolean)
  const tried =
    files.length === 0 ? 'it has no files to try' : `tried ${files.length === 1 ? '1 file' : `${files.length} files`}`
  return { name, holds: read.length === 0, detail: read.length > 0 ? `a command read ${read[0]}` : tried }
}

async function cannotWrite(
  run: Attempt,
  { neighbour, home, checkout }: { neighbour: string; home: string; checkout: string },
): Promise<SandboxPromise> {
  const marker = `convene-proof-${process.pid}-${Date.now()}`
  const places = [neighbour, home, checkout, '/', '/etc', '/usr', '/var', '/tmp'].map((place) => join(place, marker))
  await run(`${places.map((path) => `touch ${quoted(path)} 2>/dev/null`).join('\n')}\ntrue`)
  const written: string[] = []
  for (const path of places) {
    const isThere = await stat(path).then(
      () => true,
      () => false,
    )
    if (isThere) written.push(path)
    if (isThere) await rm(path, { force: true })
  }
  const detail = written.length > 0 ? `a command wrote ${written[0]}` : `tried ${places.length} places`
  return { name: 'writes nothing outside its worktree', holds: written.length === 0, detail }
}

interface Listener {
  server: Server
  port: number
  heard: number
}

async function listen(): Promise<Listener> {
  const listener = { server: createServer(), port: 0, heard: 0 }
  listener.server.on('connection', (socket) => {
    listener.heard++
    socket.destroy()
  })
  listener.server.listen(0, '127.0.0.1')
  await once(listener.server, 'listening')
  listener.port = (listener.server.address() as { port: number }).port
  return listener
}

async function cannotReach(run: Attempt, listener: Listener): Promise<SandboxPromise> {
  const program = `const s=require('net').connect(${listener.port},'127.0.0.1');s.on('connect',()=>{console.log('connected');s.destroy()});s.on('error',()=>console.log('refused'))`
  const { tail } = await run(`${quoted(process.execPath)} -e ${quoted(program)}`)
  const isHeard = listener.heard > 0 || tail.includes('connected')
  const isTried = isHeard || tail.includes('refused')
  const detail = isHeard
    ? 'a command reached a listener on this machine'
    : isTried
      ? 'tried a listener on this machine, which heard nothing'
      : `the attempt did not run: ${tail.trim().split('\n').at(-1) ?? ''}`
  return { name: 'reaches no network', holds: isTried && !isHeard, detail }
}

async function seesNoSecret(run: Attempt): Promise<SandboxPromise> {
  const { tail } = await run(`env | grep -c ${quoted(secret.value)}`)
  const holds = tail.trim() === '0'
  return { name: 'sees no secret variable', holds, detail: holds ? `${secret.name} was not there` : 'it was there' }
}

async function seesNoProcess(run: Attempt): Promise<SandboxPromise> {
  const { tail } = await run(`kill -0 ${process.pid} 2>/dev/null && echo seen; true`)
  const holds = !tail.includes('seen')
  const detail = holds ? 'could not signal this process' : 'a command could signal this process'
  return { name: 'sees no other process', holds, detail }
}

async function leavesNothing(run: Attempt): Promise<SandboxPromise> {
  const mark = `${100_000 + process.pid}`
  await run(`setsid sleep ${mark} >/dev/null 2>&1 </dev/null & sleep 0.1`)
  let left = await sleeping(mark)
  for (let tries = 0; tries < 20 && left; tries++) {
    await sleep(50)
    left = await sleeping(mark)
  }
  return { name: 'leaves no process behind', holds: !left, detail: left ? 'a daemon stayed' : 'a daemon was ended' }
}

async function sleeping(mark: string): Promise<boolean> {
  for (const id of processIds()) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    if (line === `sleep\0${mark}\0` && isRunning(id)) return true
  }
  return false
}

async function staysWithinLimits(run: Attempt): Promise<SandboxPromise> {
  const { ended } = await run('i=0; while [ $i -lt 60 ]; do sleep 20 & i=$((i+1)); done; wait')
  const holds = ended === 'too-many-processes'
  const detail = holds ? '60 processes were ended at a limit of 24' : `60 processes at a limit of 24: ${ended}`
  return { name: 'stays within its limits', holds, detail }
}
