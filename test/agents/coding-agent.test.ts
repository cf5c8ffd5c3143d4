/** Coding agents through the command: an answer in a room that needed a file, and a build that ends merged. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRunning } from '../../src/workspace/commands/is-alive.ts'
import { approved, buildProject, code, expectExit, ofType, specOf, testFile } from '../build/project.ts'
import { lastJson, temporaryFolder } from '../support/convene.ts'
import { fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { git, gitProject } from '../support/git-project.ts'
import { runResident } from '../support/resident-command.ts'

it('[RD14][AG1] answers in a room from a copy of the project, in a small environment, and leaves nothing behind', async () => {
  const scratch = temporaryFolder()
  const fake = fakeCodingAgent(scratch, {
    prompts: [
      {
        contains: 'What is the word?',
        do: [
          { env: join(scratch, 'env.json') },
          { pid: join(scratch, 'pid') },
          { tool: { kind: 'read', title: 'Read secret.txt', rawInput: { file_path: 'secret.txt' } } },
          { write: { 'left-behind.txt': 'thrown away' } },
          { say: 'The word is ' },
          { sayFile: 'secret.txt' },
        ],
      },
    ],
  })
  const agents = { coder: { provider: 'acp', command: fake.command, env: { MINE: 'yes' } } }
  const folder = gitProject({ 'secret.txt': 'marzipan', 'convene.yaml': JSON.stringify({ agents }) })
  const ended = await runResident(['ask', 'What is the word?', '--to', 'coder', '--json'], {
    cwd: folder,
    env: { GITHUB_TOKEN: 'not for agents', OPENAI_API_KEY: 'not for agents', LANG: 'C.UTF-8', TERM: 'dumb' },
  })
  expect(ended).toMatchObject({ code: 0 })
  const { items } = lastJson<{ items: { sender: string; text: string }[] }>(ended)
  expect(items.find(({ sender }) => sender === 'coder')!.text).toBe('The word is marzipan')

  const env = JSON.parse(readFileSync(join(scratch, 'env.json'), 'utf8')) as Record<string, string>
  const allowed = ['PATH', 'HOME', 'LANG', 'TERM', 'MINE', 'CONVENE_DEPTH', 'PWD', 'OLDPWD', 'SHLVL', '_']
  expect(Object.keys(env).filter((name) => !allowed.includes(name) && !/_proxy$/i.test(name))).toEqual([])
  expect(env).toMatchObject({ MINE: 'yes', CONVENE_DEPTH: '1' })

  const started = fake.received().find(({ method }) => method === 'session/new')!
  expect(started.params!.cwd).not.toContain(folder)
  expect(git(folder, 'status', '--porcelain')).toBe('')
  expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(isRunning(Number(readFileSync(join(scratch, 'pid'), 'utf8')))).toBe(false)
})

const planned = (...statuses: string[]) =>
  statuses.map((status, index) => ({ content: ['write inc', 'test it'][index], priority: 'medium', status }))

it('[AG2] builds in its worktree, shows where it is in its own plan, ends with emit_exit, and is told which field was wrong', async () => {
  const scratch = temporaryFolder()
  const fake = fakeCodingAgent(scratch, {
    prompts: [
      {
        contains: 'inc-1',
        do: [
          { say: 'I will write two files. ' },
          { update: { sessionUpdate: 'plan', entries: planned('in_progress', 'pending') } },
          { update: { sessionUpdate: 'plan', entries: planned('completed', 'in_progress') } },
          { update: { sessionUpdate: 'plan', entries: planned('completed', 'in_progress') } },
          { update: { sessionUpdate: 'plan', entries: [] } },
          { permission: { kind: 'execute', title: 'curl', rawInput: { command: 'curl x', cwd: '/etc' } } },
          {
            permission: { kind: 'edit', title: 'Write inc.js', locations: [{ path: 'src/inc.js' }] },
            ifAllowed: [
              {
                write: {
                  'src/inc.js': code('inc'),
                  'test/inc.test.js': testFile('inc', {
                    'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)',
                  }),
                },
              },
            ],
          },
          { exit: { TestsPassed: { iterations: 'many', passedTests: [] } }, sayAnswer: true },
          { exit: { TestsPassed: { iterations: 1, passedTests: [] } }, sayAnswer: true },
        ],
      },
    ],
  })
  const config = {
    agents: {
      coder: { provider: 'acp', command: fake.command },
      critic: { provider: 'rehearsal', script: '../script.yaml' },
    },
    roles: { impl: 'coder', tdd: 'critic' },
  }
  const project = buildProject({
    spec: specOf('inc'),
    lines: [{ when: { ask: 'review-impl', agent: 'critic' }, reply: approved }],
    config,
  })
  const built = await project.build('--strategy', 'solo', '--merge')
  expectExit(built, 0)
  expect(built.report).toMatchObject({ merged: true })
  expect(project.read('main', 'src/inc.js')).toContain('value + 1')

  const events = await project.events()
  expect(ofType(events, 'permission.requested').map(({ title }) => title)).toEqual(['curl', 'Write inc.js'])
  expect(ofType(events, 'permission.resolved').map(({ decision, by }) => [decision, by])).toEqual([
    ['deny', 'policy'],
    ['allow', 'policy'],
  ])
  expect(ofType(events, 'tool.used').map(({ tool, summary }) => `${tool} ${summary}`)).toEqual([
    'plan 1 of 2: write inc',
    'plan 2 of 2: test it',
  ])
  const { params } = fake.received().find(({ method }) => method === 'session/new')!
  expect(params!.mcpServers).toMatchObject([{ name: 'convene' }])
})
