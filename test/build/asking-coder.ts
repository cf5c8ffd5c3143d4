/** A project whose coding agent asks a person for permission before it builds `inc`. */
import { temporaryFolder } from '../support/convene.ts'
import { type Action, fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { approved, buildProject, code, type Project, specOf, testFile } from './project.ts'

/** What the agent does once it may: it writes the code and its test. */
export const working = [
  {
    write: {
      'src/inc.js': code('inc'),
      'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' }),
    },
  },
  { exit: { TestsPassed: { iterations: 1, passedTests: [] } } },
]

export const wanted = (command: string, title = command) => ({ kind: 'execute', title, rawInput: { command } })

/** `step` is what the agent does first with the spec. */
export function askingCoder(step: Action): Project {
  const fake = fakeCodingAgent(temporaryFolder(), { prompts: [{ contains: '', do: [step] }] })
  return buildProject({
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
}
