/** A coding agent as the panel of a plan: it reads a copy of the project with its own tools, and changes nothing. */
import { expect, it } from 'vitest'
import { convene, eventsOf, Plan, planFolder, view } from '../plan/project.ts'
import { temporaryFolder } from '../support/convene.ts'
import { fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { git } from '../support/git-project.ts'

it('[RD14] [AG2] plans from a copy of the project that is thrown away', async () => {
  const fake = fakeCodingAgent(temporaryFolder(), {
    prompts: [
      { contains: 'Reply in this form: contradictions', do: [{ exit: { contradictions: [] } }] },
      {
        contains: '',
        do: [
          { clientRead: 'src/read.js' },
          { clientWrite: { path: 'src/read.js', content: 'changed through the client' } },
          { write: { 'src/read.js': 'changed by itself' } },
          { exit: view('I agree: the small one. This aligns with the code.') },
        ],
      },
    ],
  })
  const rehearsed = { provider: 'rehearsal', script: 'script.yaml' }
  const folder = planFolder({
    config: {
      agents: { lead: rehearsed, coder: { provider: 'acp', command: fake.command } },
      roles: { coordinator: 'lead', panel: ['coder'] },
    },
  })
  const planned = await convene(folder, 'plan', 'Turn a file into a report', '--mode', 'rapid', '--yes')
  expect(planned.code, planned.stderr).toBe(0)
  expect(new Plan(folder, planned.report.plan).read('issues.json')).toContain('Read the file')

  const events = await eventsOf(folder)
  const asked = events.filter(({ type, data }) => type === 'ask.finished' && data.agent === 'coder')
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter(({ data }) => data.failure)).toEqual([])
  // What it read through Convene came back to it; what it wanted to write was refused.
  const answers = fake.received().filter(({ method }) => method === undefined)
  expect(JSON.stringify(answers)).toContain('export const read')
  expect(events.filter(({ type }) => type === 'permission.resolved').map(({ data }) => data.decision)).toContain('deny')
  const places = fake.received().filter(({ method }) => method === 'session/new')
  expect(places.filter(({ params }) => String(params!.cwd).startsWith(folder))).toEqual([])
  expect(git(folder, 'status', '--porcelain')).toBe('')
  expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
})
