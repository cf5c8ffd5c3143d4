import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CgroupPlace, cgroupFolder } from './cgroup.ts'
import { startProcessGroup } from './process-group.ts'
import { processIds } from './process-table.ts'
import { systemdPlace } from './systemd-scope.ts'

const limits = { memoryBytes: 300 * 1024 * 1024, processes: 60, fileBytes: 2 ** 20 }

/** A folder that looks like the kernel's, with this process in `own`. */
function fakeKernel({ own = '/user/terminal', enabled = 'cpu memory pids', root = '/' } = {}) {
  const at = mkdtempSync(join(tmpdir(), 'cgroup-test-'))
  onTestFinished(() => rmSync(at, { recursive: true, force: true }))
  const place = join(at, root === '/' ? own : own.slice(root.length))
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, '..', 'cgroup.subtree_control'), `${enabled}\n`)
  const view = {
    own: `4:memory:/other\n0::${own}\n`,
    mounts: `30 20 0:26 ${root} ${at} rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n31 20 0:27 / /proc rw - proc proc rw\n`,
  }
  return { view, parent: join(place, '..'), place }
}

const groupsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('convene-'))

async function run(command: string, cgroup: CgroupPlace, { canLeave = false } = {}) {
  const group = await startProcessGroup(['/bin/sh', '-c', command], {
    folder: tmpdir(),
    env: { PATH: process.env.PATH },
    limits,
    cgroup,
    canLeave,
  })
  const [exitCode, output] = await Promise.all([group.exitCode, text(group.output)])
  await group.end()
  return { exitCode, output, reached: group.reached() }
}

describe('the control group of a command', () => {
  it('[TR11] is made beside the own one, which has processes and so limits nothing below it', () => {
    const { view, parent } = fakeKernel()
    expect(cgroupFolder(view)).toEqual({ kind: 'folder', base: parent, keeps: ['memory', 'processes'] })
    const inContainer = fakeKernel({ own: '/docker/a/b', root: '/docker/a', enabled: 'pids' })
    expect(cgroupFolder(inContainer.view)).toEqual({ kind: 'folder', base: inContainer.parent, keeps: ['processes'] })
  })

  it('[TR11] is not there without the second version, or where no group can be made', () => {
    const { view } = fakeKernel()
    expect(cgroupFolder({ ...view, own: '4:memory:/other\n' })).toBeNull()
    expect(cgroupFolder({ ...view, mounts: '' })).toBeNull()
    expect(cgroupFolder({ ...view, own: '0::/nowhere/else\n' })).toBeNull()
  })

  it('[TR11] has the limits, and the command is in it before it starts', async () => {
    const { view, parent } = fakeKernel()
    const cgroup = cgroupFolder(view)!
    // The kernel removes the files with the folder; here they stay and show what was written.
    for (const name of groupsIn(parent)) rmSync(join(parent, name), { recursive: true })
    expect(await run('echo hello; exit 3', cgroup)).toEqual({ exitCode: 3, output: 'hello\n', reached: undefined })
    const [name] = groupsIn(parent)
    const files = Object.fromEntries(
      readdirSync(join(parent, name!)).map((file) => [file, readFileSync(join(parent, name!, file), 'utf8').trim()]),
    )
    expect(files).toMatchObject({
      'memory.max': `${limits.memoryBytes}`,
      'memory.swap.max': '0',
      'memory.oom.group': '1',
      'pids.max': `${limits.processes + 8}`,
      'cgroup.procs': '0',
    })
  })

  it('[TR11] names the limit that the kernel kept', async () => {
    const { view, parent } = fakeKernel()
    const cgroup = cgroupFolder(view)!
    const noted = (file: string, line: string, code: number) =>
      run(`for each in '${parent}'/convene-*; do echo '${line}' > "$each/${file}"; done; exit ${code}`, cgroup)
    expect((await noted('memory.events', 'oom_kill 0', 1)).reached).toBeUndefined()
    expect((await noted('pids.events', 'max 2', 0)).reached).toBeUndefined()
    expect((await noted('pids.events', 'max 2', 1)).reached).toBe('processes')
    expect((await noted('memory.events', 'oom_kill 1', 137)).reached).toBe('memory')
  })

  it('[TR11] is done without where it cannot be made', async () => {
    const { view, parent } = fakeKernel()
    const cgroup = cgroupFolder(view)!
    rmSync(parent, { recursive: true })
    expect(await run('echo hello', cgroup)).toMatchObject({ exitCode: 0, output: 'hello\n' })
  })

  it('[TR11] is made by the systemd of the user where no folder can be written', async () => {
    const { program, folder } = fakeSystemd()
    const place = await systemdPlace(program, {})
    expect(place).toEqual({
      kind: 'systemd',
      program,
      options: ['--expand-environment=no'],
      keeps: ['memory', 'processes'],
    })
    rmSync(join(folder, 'words'))
    expect(await run('echo hello; echo why >&2; exit 3', place!)).toMatchObject({ exitCode: 3, output: 'hello\nwhy\n' })
    expect(readFileSync(join(folder, 'words'), 'utf8').split('\n')).toEqual(
      expect.arrayContaining([
        '--user',
        '--scope',
        `MemoryMax=${limits.memoryBytes}`,
        'MemorySwapMax=0',
        'TasksMax=68',
      ]),
    )
    writeFileSync(program, '#!/bin/sh\nexit 1\n')
    expect(await systemdPlace(program, {})).toBeNull()
  })

  it('[TR9] [TR11] is ended as a whole by the systemd of the user, in every version of it', async () => {
    const { program, folder } = fakeSystemd()
    const isNew = `for word; do [ "$word" != --expand-environment=no ] || exit 1; done`
    writeFileSync(program, readFileSync(program, 'utf8').replace('\n', `\n${isNew}\n`))
    const place = (await systemdPlace(program, {}))!
    expect(place).toMatchObject({ options: [] })
    writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$*" >> '${folder}/killed'\n`, { mode: 0o755 })
    expect(await run('word=hello; echo $word', place, { canLeave: true })).toMatchObject({ output: 'hello\n' })
    const unit = /^--unit=(convene-.*)$/m.exec(readFileSync(join(folder, 'words'), 'utf8'))![1]
    expect(readFileSync(join(folder, 'killed'), 'utf8')).toBe(`--user --quiet kill --signal=KILL ${unit}.scope\n`)
  })

  it('[TR11] is done without when the systemd of the user goes away, and no command runs twice', async () => {
    const { program, folder } = fakeSystemd()
    const place = (await systemdPlace(program, {}))!
    const noted = join(folder, 'noted')
    const failing = `echo ran >> '${noted}'; exit 1`
    expect(await run(failing, place)).toMatchObject({ exitCode: 1, output: '' })
    expect(readFileSync(noted, 'utf8')).toBe('ran\n')
    writeFileSync(program, '#!/bin/sh\necho Failed to connect to bus: No medium found >&2\nexit 1\n')
    expect(await run('echo hello; exit 3', place)).toMatchObject({ exitCode: 3, output: 'hello\n' })
    expect(await run(failing, place)).toMatchObject({ exitCode: 1, output: '' })
    expect(readFileSync(noted, 'utf8')).toBe('ran\nran\n')
    rmSync(program)
    expect(await run('echo hello', place)).toMatchObject({ exitCode: 0, output: 'hello\n' })
  })
})

/** A program that notes its options and becomes the command, as `systemd-run --scope` does. */
function fakeSystemd(): { program: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cgroup-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'systemd-run')
  writeFileSync(
    program,
    `#!/bin/sh\nfor word; do shift; [ "$word" != -- ] || break; echo "$word" >> '${folder}/words'; done\nexec "$@"\n`,
  )
  chmodSync(program, 0o755)
  return { program, folder }
}

// Tests of the real kernel are left out where it gives this user no group, or none with limits.
const real = process.platform === 'linux' ? cgroupFolder() : null

if (real)
  describe('the control group of a command, by the kernel of this machine', () => {
    it('[TR9] ends what left its process group, session, parent and environment', async () => {
      const seconds = `${7000 + (process.pid % 1000)}.5`
      const { output } = await run(`env -i setsid -f sleep ${seconds} >/dev/null 2>&1; echo left`, real)
      expect(output).toBe('left\n')
      expect(processIds().filter((id) => commandLine(id).includes(seconds))).toEqual([])
    })
  })

if (real?.keeps.includes('processes'))
  it('[TR11] the kernel refuses more processes than the limit', async () => {
    const { reached } = await run(
      'i=0; while [ $i -lt 90 ]; do sleep 30 & i=$((i+1)); done; kill $(jobs -p); exit 1',
      real,
    )
    expect(reached).toBe('processes')
  })

if (real?.keeps.includes('memory'))
  it('[TR11] the kernel ends a command beyond its memory', async () => {
    const hog = `${JSON.stringify(process.execPath)} -e 'Buffer.alloc(${2 * limits.memoryBytes}, 1)'`
    expect((await run(hog, real)).reached).toBe('memory')
  })

function commandLine(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}
