/** What a command in a sandbox can and cannot do. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandRequest, Commands } from '../../src/workspace/commands/command.ts'
import { gone, uniqueSeconds } from '../support/processes.ts'

// Without a home folder no caches are created.
const probe = await new Commands({ sandbox: 'required', env: { PATH: process.env.PATH }, allowEnv: [] }).sandboxState()
const missing = probe.kind === 'bubblewrap' ? undefined : `needs bubblewrap: ${probe.why ?? 'this is not Linux'}`
if (missing) console.warn(`skipped: sandbox: ${missing}`)

describe.skipIf(missing !== undefined)(missing ? `sandbox (${missing})` : 'sandbox', () => {
  let root: string
  let folder: string
  let home: string
  let servers: Server[]

  beforeEach(async () => {
    servers = []
    root = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
    folder = join(root, 'slot')
    home = join(root, 'home')
    await Promise.all([folder, home].map((path) => mkdir(path)))
  })
  afterEach(async () => {
    for (const server of servers) server.close()
    await rm(root, { recursive: true, force: true })
  })

  async function run(command: string, request: Partial<CommandRequest> = {}, hide: string[] = []) {
    const commands = new Commands({
      sandbox: 'required',
      env: { ...process.env, HOME: home, XDG_CACHE_HOME: '' },
      allowEnv: [],
      hide,
    })
    const result = await commands.run({ command, folder, timeoutMs: 300_000, ...request })
    await result.output.remove()
    return result
  }

  it('can write to its folder and the given ones, and nowhere else', async () => {
    const other = join(root, 'other')
    const { tail } = await run(
      `touch in-slot; touch ${other}/in-other; for place in / /etc /usr /var ${home} ${root}; do touch $place/escaped 2>/dev/null && echo $place; done; true`,
      { writable: [other] },
    )
    // Its home and the slot's surroundings below /tmp are the sandbox's own and go with it.
    expect(tail.trim().split('\n')).toEqual([home, root])
    expect(await readdir(folder)).toEqual(['in-slot'])
    expect(await readdir(other)).toEqual(['in-other'])
    expect((await readdir(root)).sort()).toEqual(['home', 'other', 'slot'])
    for (const place of ['/', '/etc', '/usr', '/var', home]) expect(existsSync(join(place, 'escaped'))).toBe(false)
  })

  it('has its own folder for temporary files', async () => {
    const neighbour = join(root, 'neighbour')
    await writeFile(neighbour, 'private')
    const { tail } = await run(`cat ${neighbour} 2>&1; echo $TMPDIR; touch /tmp/of-the-sandbox && ls /tmp`)
    expect(tail).not.toContain('private')
    expect(tail).toContain('/tmp\n')
    expect(tail).toContain('of-the-sandbox')
    expect(existsSync('/tmp/of-the-sandbox')).toBe(false)
  })

  it('can read the given folders below the machine’s temporary folder', async () => {
    const shared = join(root, 'shared')
    await writeFile(shared, 'shared text')
    const { tail } = await run(`cat ${shared}; echo more 2>&1 >> ${shared}`, { readable: [shared] })
    expect(tail).toContain('shared text')
    expect(tail).toContain('Read-only')
  })

  it('removes its own temporary files', async () => {
    await run('touch /tmp/left-behind')
    const left = async () =>
      (await readdir(tmpdir()))
        .filter((name) => name.startsWith('convene-sandbox-'))
        .filter((name) => existsSync(join(tmpdir(), name, 'tmp', 'left-behind')))
    await expect.poll(left).toEqual([])
  })

  it('[TR8] has an empty home folder, whatever the user keeps in theirs', async () => {
    await mkdir(join(home, '.ssh'))
    await mkdir(join(home, '.config', 'anything'), { recursive: true })
    await writeFile(join(home, '.ssh', 'id_ed25519'), 'private-key')
    await writeFile(join(home, '.config', 'anything', 'token'), 'private-token')
    await writeFile(join(home, '.bashrc'), 'export KEY=private-word')
    await writeFile(join(home, '.npmrc'), 'registry=https://npm.example\n//npm.example/:_authToken=private-npm\n')
    const { tail } = await run('cat ~/.ssh/* ~/.config/anything/* ~/.bashrc ~/.npmrc 2>/dev/null; find ~ -type f')
    expect(tail).toBe('')
    // A set-up has the settings of package managers, without their secrets.
    const settings = await run('cat ~/.npmrc', { network: true })
    expect(settings.tail).toBe('registry=https://npm.example\n')
  })

  it('[TR8] has caches of Convene’s own for package managers: kept between commands, downloads only with the network', async () => {
    const kept = 'npm_config_cache PIP_CACHE_DIR UV_CACHE_DIR GOCACHE'
    const write = (names: string) =>
      `for name in ${names}; do eval "echo kept > \\$$name/file && echo $name"; done 2>/dev/null`
    const read = (names: string) => `for name in ${names}; do eval "cat \\$$name/file"; done`
    const lines = async (command: string, network = false) => (await run(command, { network })).tail.trim().split('\n')
    expect(await lines(write(kept))).toEqual(kept.split(' '))
    expect(await lines(read(kept))).toEqual(kept.split(' ').map(() => 'kept'))
    expect(await lines(`${write('COREPACK_HOME')}; true`)).toEqual([''])
    expect(await lines(write('COREPACK_HOME'), true)).toEqual(['COREPACK_HOME'])
    expect(await lines(`${read('COREPACK_HOME')}; ls ~/go/pkg`)).toEqual(['kept', 'mod'])
    expect(existsSync(join(home, '.npm'))).toBe(false)
    expect(await readdir(join(home, '.cache', 'convene', 'commands'))).toEqual(['downloads', 'tools'])
  })

  it('[TR8] has the packages of pnpm’s store without the network, and an index that pnpm can open', async () => {
    const store = '~/.local/share/pnpm/store'
    const fill = `mkdir -p ${store}/v11/files ${store}/v10/index; cd ${store}; echo all > v11/index.db; echo a > v11/files/a; echo b > v10/index/b`
    await run(fill, { network: true })
    const write = `cd ${store}/v11 && cat files/a ../v10/index/b && echo own > index.db && cat index.db; echo c > files/c || echo kept`
    expect((await run(write)).tail.split('\n').filter((line) => !line.includes('ead-only'))).toEqual([
      'a',
      'b',
      'own',
      'kept',
      '',
    ])
    expect((await run(`cat ${store}/v11/index.db`, { network: true })).tail.trim()).toBe('all')
  })

  it('[TR8] shares what every command may write with commands of the same repository alone', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { stdio: 'pipe', env: gitEnvironment })
    const worktreeOf = (name: string, at: string) => {
      const repository = join(root, name)
      git('init', '-q', repository)
      git('-C', repository, 'commit', '-q', '--allow-empty', '-m', 'first')
      git('-C', repository, 'worktree', 'add', '-q', '--detach', join(root, at))
      git('-C', repository, 'worktree', 'add', '-q', '--detach', join(root, `${at}-again`))
    }
    worktreeOf('one', 'of-one')
    worktreeOf('two', 'of-two')
    const inside = async (at: string, command: string) => {
      folder = join(root, at)
      return (await run(command)).tail.trim()
    }
    await inside('of-one', 'echo planted > $PIP_CACHE_DIR/wheel')
    expect(await inside('of-one-again', 'cat $PIP_CACHE_DIR/wheel')).toBe('planted')
    expect(await inside('of-two', 'cat $PIP_CACHE_DIR/wheel 2>/dev/null; find ~/.cache/convene -name wheel')).toBe('')
  })

  it('[TR8] has neither the checkout nor other worktrees, but the history', async () => {
    const repository = join(home, 'repository')
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe', env: gitEnvironment })
    await mkdir(repository, { recursive: true })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first commit')
    git('remote', 'add', 'origin', 'https://user:private-word@example.org/a.git')
    git('config', 'http.https://example.org/.extraheader', 'AUTHORIZATION: basic private-word')
    git('config', 'branch.main.remote', 'https://user:private-word@example.org/a.git')
    // As after `git pull <address>`.
    git(
      'update-ref',
      '--create-reflog',
      '-m',
      'pull https://user:private-word@example.org/a.git',
      'refs/heads/x',
      'HEAD',
    )
    await writeFile(join(repository, '.env'), 'KEY=private-word')
    await writeFile(join(repository, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\n# private-word\n')
    folder = join(root, 'worktree')
    for (const place of [folder, join(root, 'neighbour')]) git('worktree', 'add', '-q', '--detach', place)
    await writeFile(join(root, 'neighbour', 'file'), 'private-word')
    const { tail } = await run(
      `git log --format=%s; git status --short; cat ${repository}/.env ${repository}/.git/config ${repository}/.git/hooks/*; cat ${repository}/.git/logs/refs/heads/*; git reflog x; cat ${root}/neighbour/file; ls -A ${repository}; ls ${repository}/.git/worktrees`,
    )
    expect(tail).toContain('first commit')
    expect(tail).not.toContain('private')
    expect(tail.split('\n')).toEqual(expect.arrayContaining(['.git', 'worktree']))
    expect(tail).not.toMatch(/^neighbour$/m)
    // A .git file that an agent wrote opens no other repository.
    const other = join(root, 'other')
    execFileSync('git', ['init', '-q', other], { env: gitEnvironment })
    await mkdir(join(folder, 'fake'))
    await writeFile(join(folder, 'fake', 'commondir'), join(other, '.git'))
    await writeFile(join(folder, 'fake', 'gitdir'), join(folder, '.git'))
    await writeFile(join(folder, '.git'), `gitdir: ${join(folder, 'fake')}\n`)
    expect((await run(`ls ${other} 2>&1 || true`)).tail).toContain('No such file')
  })

  it('[TR8] sees system programs and toolchains on the PATH, also if one folder there may not be read', async () => {
    const tool = join(root, 'tool')
    await mkdir(join(tool, 'bin'), { recursive: true })
    await mkdir(join(tool, 'lib'))
    await writeFile(join(tool, 'lib', 'words'), 'from the toolchain')
    await writeFile(join(tool, 'bin', 'say-words'), `#!/bin/sh\ncat ${tool}/lib/words\n`, { mode: 0o755 })
    await mkdir(join(root, 'locked', 'bin'), { recursive: true })
    await chmod(join(root, 'locked'), 0)
    const commands = new Commands({
      sandbox: 'required',
      env: { PATH: `${root}/locked/bin:${tool}/bin:${process.env.PATH}`, HOME: home },
      allowEnv: [],
    })
    const result = await commands.run({
      command: 'say-words; node --version; git --version; cat /etc/shadow 2>/dev/null; ls /etc/ssh 2>/dev/null; true',
      folder,
      timeoutMs: 300_000,
    })
    await result.output.remove()
    await chmod(join(root, 'locked'), 0o700)
    expect(result.tail).toMatch(/^from the toolchainv\d+\.\d+\.\d+\ngit version [^\n]+\n$/)
  })

  it("hides Convene's state, in the repository of its worktree or at a given place", async () => {
    const repository = join(home, 'repository')
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe', env: gitEnvironment })
    await mkdir(join(repository, '.convene'), { recursive: true })
    await writeFile(join(repository, '.convene', 'token'), 'private-token')
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first commit')
    folder = join(root, 'worktree')
    git('worktree', 'add', '-q', '--detach', folder)
    await mkdir(join(home, 'elsewhere'))
    await writeFile(join(home, 'elsewhere', 'secret'), 'private-state')
    const { tail } = await run(
      `git -c safe.directory='*' log --format=%s; cat ${repository}/.convene/token ${home}/elsewhere/secret 2>&1; touch ${repository}/.git/escaped`,
      {},
      [join(home, 'elsewhere')],
    )
    expect(tail).toContain('first commit')
    expect(tail).not.toContain('private')
    expect(existsSync(join(repository, '.git', 'escaped'))).toBe(false)
  })

  it('has only the loopback interface, unless it is given the network', async () => {
    const server = createServer((_request, response) => response.end('from outside'))
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await writeFile(join(folder, 'fetch.mjs'), fetchProgram)
    const program = `'${process.execPath}' fetch.mjs ${address}`
    const readable = [process.execPath]
    expect((await run(program, { readable })).tail).toBe('own: from inside\nother: unreachable\n')
    expect((await run(program, { readable, network: true })).tail).toBe('own: from inside\nother: from outside\n')
  })

  it('kills processes that left its group', async () => {
    const seconds = uniqueSeconds()
    const { exitCode } = await run(`setsid sleep ${seconds} & sleep 60`, { timeoutMs: 500 })
    expect(exitCode).toBe(124)
    await gone(seconds)
    expect((await run(`setsid sleep ${seconds} > /dev/null 2>&1 & echo left`)).tail).toBe('left\n')
    await gone(seconds)
  })

  it('does not see processes outside', async () => {
    expect((await run(`kill -0 ${process.pid} 2>/dev/null && echo seen; true`)).tail).toBe('')
  })

  it('lets nobody mount anything again, not even root', async () => {
    const { tail } = await run(
      'mount -o remount,rw / 2>/dev/null && echo remounted; touch /escaped 2>/dev/null || echo held',
    )
    expect(tail).toBe('held\n')
  })
})

const gitEnvironment = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

const fetchProgram = `
import { createServer } from 'node:http'
const text = (address) => fetch(address).then((response) => response.text(), () => 'unreachable')
const server = createServer((request, response) => response.end('from inside')).listen(0, '127.0.0.1', async () => {
  console.log('own:', await text('http://127.0.0.1:' + server.address().port))
  console.log('other:', await text(process.argv[2]))
  process.exit()
})
`
