/** The deployment files, as far as that goes without a container engine: their commands and variables, run by their start script. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { buildProject, specOf } from '../build/project.ts'
import { freePort } from '../support/free-port.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')

let postgres: RunningPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

interface Container {
  args: string[]
  env: Record<string, string>
}

const given: Record<string, string> = {
  REPOSITORY: 'set by the test',
  POSTGRES_PASSWORD: 'secret',
  CONVENE_TOKEN: 'an-owners-token-of-the-tests',
}

/** As `docker compose` reads it, with the variables above set. */
function composed(name: string): Container {
  const text = read('compose.yaml').replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, variable, kind, text) => {
    const value = given[variable as string] ?? (kind === '-' ? (text as string) : undefined)
    if (value === undefined) throw new Error(`compose.yaml: ${variable} has no value`)
    return value
  })
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, { command: string[]; environment: Record<string, string> }>
  }
  const { command, environment } = services[name]!
  return { args: command, env: environment }
}

interface Manifest {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: { template?: { spec: { containers: { args?: string[]; env?: { name: string; value?: string }[] }[] } } }
}

function inKubernetes(name: string): Container {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS() as Manifest)
  const of = (kind: string, named: string) => documents.find((one) => one.kind === kind && one.metadata.name === named)!
  const { args = [], env = [] } = of('Deployment', name).spec!.template!.spec.containers[0]!
  const own = Object.fromEntries(env.map((variable) => [variable.name, variable.value ?? 'from the secret']))
  const { DATABASE_PASSWORD = '', ...rest } = own
  const url = rest.CONVENE_DATABASE_URL!.replace('$(DATABASE_PASSWORD)', DATABASE_PASSWORD)
  return { args, env: { ...of('ConfigMap', 'convene').data, ...rest, CONVENE_DATABASE_URL: url } }
}

it('says the same to servers and workers in both files, and gives keys of agents to workers alone', () => {
  for (const name of ['serve', 'worker']) {
    const [one, other] = [composed(name), inKubernetes(`convene-${name}`)]
    expect(one.args).toEqual(other.args)
    // One set of variables for all pods: a worker has no use for the address.
    const isOwn = (variable: string) => !/_API_KEY$|^CONVENE_PUBLIC_URL$/.test(variable)
    expect(Object.keys(one.env).filter(isOwn).sort()).toEqual(Object.keys(other.env).filter(isOwn).sort())
    const hasKeys = Object.keys(one.env).some((variable) => variable.endsWith('_API_KEY'))
    expect([name, hasKeys, 'CONVENE_TOKEN' in one.env]).toEqual([name, name === 'worker', name === 'serve'])
  }
})

it('serves, talks and builds by the start script, in an environment without anything else', async () => {
  const spec = specOf('add', ['add-works'])
  const project = buildProject({
    spec,
    lines: [
      { when: { ask: 'answer' }, repeat: true, text: 'From the worker.' },
      {
        when: { ask: 'implement' },
        files: {
          'src/add.js': 'export const add = (a, b) => a + b\n',
          'test/add.test.js': `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { add } from '../src/add.js'\ntest('add-works: adds', () => assert.equal(add(1, 2), 3))\n`,
        },
        reply: { TestsPassed: { iterations: 1, passedTests: [] } },
      },
    ],
    config: { project: 'deployed' },
  })
  // The script of the rehearsal lies beside the project's folder: so do the containers' clones.
  const parent = dirname(project.folder)
  const bin = join(parent, 'bin')
  mkdirSync(bin)
  symlinkSync(join(root, 'bin/convene'), join(bin, 'convene'))
  const run = (name: string, { args, env }: Container, port: number) => {
    let said = ''
    let stopping = false
    let child: ChildProcess
    const ends = () => {
      child = spawn('sh', [join(root, 'deploy/start.sh'), ...args.map((one) => one.replace('4747', String(port)))], {
        env: {
          ...env,
          PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin'].join(':'),
          HOME: join(parent, `home-${name}`),
          REPOSITORY: project.folder,
          PROJECT_FOLDER: join(parent, name),
          CONVENE_DATABASE_URL: postgres.url,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const note = (chunk: Buffer) => {
        said += chunk
      }
      child.stdout!.on('data', note)
      child.stderr!.on('data', note)
      return new Promise<number | null>((done) => child.on('close', (code) => done(code)))
    }
    /** `restart: unless-stopped`: on a busy machine a process may be taken for dead, and then ends. */
    const ended = (async () => {
      for (;;) {
        const code = await ends()
        if (stopping) return code
      }
    })()
    onTestFinished(({ task }) => {
      stopping = true
      child.kill('SIGKILL')
      if (task.result?.state === 'fail') console.error(`${name}:\n${said}`)
    })
    const stop = () => {
      stopping = true
      child.kill('SIGTERM')
    }
    return { stop, ended, said: () => said }
  }
  const [one, other] = [await freePort(), await freePort()]
  const serve = composed('serve')
  const containers = [run('one', serve, one), run('other', serve, other), run('worker', composed('worker'), 0)]
  await expect.poll(() => containers[0]!.said()).toContain('Convene is running')
  await expect.poll(() => containers[1]!.said()).toContain('Convene is running')
  await expect.poll(() => containers[2]!.said()).toContain('Working: at most 4')

  // As the proxy sends it, to one server and the other in turn.
  const host = new URL(serve.env.CONVENE_PUBLIC_URL!).host
  let calls = 0
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    for (;;)
      try {
        return await send<Body>([one, other][calls++ % 2]!, method, path, { host, token: given.CONVENE_TOKEN!, body })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
        await pause(100)
      }
  }
  expect(await call('GET', '/api/me')).toMatchObject({ name: 'you', role: 'owner', shared: true })
  const room = await call<{ id: string }>('POST', '/api/rooms', {})
  await call('POST', `/api/rooms/${room.id}/messages`, { text: 'Who is there?', target: 'coder' })
  await expect
    .poll(async () => JSON.stringify(await call('GET', `/api/rooms/${room.id}/transcript`)))
    .toContain('From the worker.')
  const build = await call<{ id: string }>('POST', '/api/builds', { spec, strategy: 'solo' })
  await expect
    .poll(async () => call<{ status: string }>('GET', `/api/builds/${build.id}/report`), { timeout: 120_000 })
    .toMatchObject({ status: 'done', commit: expect.any(String) })
  const { workers } = await call<{ workers: { capacity: number; alive: boolean }[] }>('GET', '/api/workers')
  const living = workers.filter(({ alive }) => alive).map(({ capacity }) => capacity)
  expect(living.sort()).toEqual([0, 0, 4])
  const elsewhere = send(one, 'GET', '/api/me', { host: 'elsewhere.example', token: given.CONVENE_TOKEN! })
  await expect(elsewhere).rejects.toThrow('403')

  for (const { stop } of containers) stop()
  expect(await Promise.all(containers.map(({ ended }) => ended))).toEqual([130, 130, 130])
})

/** `fetch` cannot name another host. */
function send<Body>(
  port: number,
  method: string,
  path: string,
  { host, token, body }: { host: string; token: string; body?: object },
): Promise<Body> {
  return new Promise((done, fail) => {
    const headers = { host, authorization: `Bearer ${token}`, accept: 'application/json' }
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => {
        if ((response.statusCode ?? 0) < 300) done(JSON.parse(text) as Body)
        else fail(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
      })
    })
    sent.on('error', fail)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
