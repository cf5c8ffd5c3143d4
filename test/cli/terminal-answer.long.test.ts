/** Questions of a build at the terminal: answered there, or elsewhere while the terminal waits. */
import { expect, it } from 'vitest'
import type { Question } from '../../src/kernel/runs/question-events.ts'
import { approved, buildProject, code, ofType, specOf, testFile } from '../build/project.ts'
import { temporaryFolder, trusting } from '../support/convene.ts'
import { fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { callOwner } from '../support/owner.ts'
import { openTerminal } from '../support/terminal.ts'

const working = [
  {
    write: {
      'src/inc.js': code('inc'),
      'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' }),
    },
  },
  { exit: { TestsPassed: { iterations: 1, passedTests: [] } } },
]

it('goes on when a question was answered elsewhere, and takes the answer to the next', {
  timeout: 240_000,
}, async () => {
  const wanted = (command: string) => ({ kind: 'execute', title: command, rawInput: { command } })
  const next = { permission: wanted('npm run tidy'), ifAllowed: [{ die: 1 }], ifDenied: working }
  const fake = fakeCodingAgent(temporaryFolder(), {
    prompts: [
      { contains: '', do: [{ permission: wanted('npm run deploy'), ifAllowed: [{ die: 1 }], ifDenied: [next] }] },
    ],
  })
  const project = buildProject({
    spec: specOf('inc'),
    lines: [{ when: { ask: 'review-impl', agent: 'critic' }, reply: approved }],
    config: {
      agents: {
        coder: { provider: 'acp', command: fake.command, permissions: 'ask' },
        critic: { provider: 'rehearsal', script: '../script.yaml' },
      },
      roles: { impl: 'coder', tdd: 'critic' },
    },
  })
  const options = { cwd: project.folder, env: trusting }
  const terminal = openTerminal(['build', 'spec.json', '--strategy', 'solo'], options)
  await terminal.shows(/coder asks for permission: npm run deploy[\s\S]*1 to 2:/)
  const { questions } = (await callOwner(project.folder, 'GET', '/api/questions')) as { questions: Question[] }
  const answer = `/api/questions/${encodeURIComponent(questions[0]!.id)}/answer`
  await callOwner(project.folder, 'POST', answer, { choice: 'deny' })
  await terminal.shows(/\(answered elsewhere\)[\s\S]*npm run tidy[\s\S]*1 to 2:/)
  // A wrong answer is refused, and the terminal asks again.
  terminal.type('perhaps\r')
  await terminal.shows(/perhaps[\s\S]*allow, deny[\s\S]*1 to 2:/)
  terminal.type('2\r')
  expect(await terminal.finished, terminal.screen()).toBe(0)
  const resolved = ofType(await project.events(), 'permission.resolved')
  expect(resolved.map(({ decision, by }) => [decision, by])).toEqual([
    ['deny', 'you'],
    ['deny', 'you'],
  ])
})
