/** `convene ask` in single mode, and what happens when the project's owner is killed meanwhile. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastJson, rehearsalProject, start, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

interface Asked {
  items: { type: string; sender: string; target: string; text: string; call_id: string }[]
  reason?: string
}

const talk = `
- when: { ask: answer, agent: gpt, contains: capital }
  text: Paris.
- when: { ask: answer, agent: gpt, contains: broken }
  repeat: true
  fail: refused
- when: { ask: answer, agent: claude }
  after_file: go
  text: Late but whole.
`

describe('convene ask', () => {
  it('prints the answer on stdout and the rehearsal notice on stderr', async () => {
    const folder = temporaryFolder(rehearsalProject(talk))
    const asked = await runResident(['ask', 'What is the capital of France?', '--to', 'gpt'], { cwd: folder })
    expect(asked).toMatchObject({ code: 0, stdout: 'Paris.\n' })
    expect(asked.stderr).toContain('rehearsal')
    expect(asked.stderr).toMatch(/^spent: /m)
  })

  it('ends --json with the transcript of the message', async () => {
    const folder = temporaryFolder(rehearsalProject(talk))
    const { items, reason } = lastJson<Asked>(
      await runResident(['ask', 'capital?', '--to', 'gpt', '--json'], { cwd: folder }),
    )
    expect(reason).toBeUndefined()
    expect(items.map(({ type, sender, target, text }) => ({ type, sender, target, text }))).toEqual([
      { type: 'human_message', sender: 'you', target: 'gpt', text: 'capital?' },
      { type: 'agent_response', sender: 'gpt', target: 'all', text: 'Paris.' },
    ])
    expect(items.every((item) => item.call_id !== '')).toBe(true)
  })

  it('exits 1 with the reason when the agent fails, 2 when the script has run out', async () => {
    const folder = temporaryFolder(rehearsalProject(talk))
    const failed = await runResident(['ask', 'broken', '--to', 'gpt', '--json'], { cwd: folder })
    expect([failed.code, lastJson<Asked>(failed).reason]).toEqual([1, 'refused'])
    const said = await runResident(['ask', 'broken', '--to', 'gpt', '--room', 'second'], { cwd: folder })
    expect([said.stdout, said.stderr.includes('gpt could not answer')]).toEqual(['', true])
    const exhausted = await runResident(['ask', 'nothing fits', '--to', 'gpt', '--room', 'third', '--json'], {
      cwd: folder,
    })
    expect(exhausted.code).toBe(2)
    expect(lastJson<Asked>(exhausted).reason).toContain('script.yaml')
  })

  it('refuses unknown agents, unknown modes and an empty text', async () => {
    const folder = temporaryFolder(rehearsalProject(talk))
    const unknown = await runResident(['ask', 'hi', '--to', 'gtp', '--json'], { cwd: folder })
    expect([unknown.code, lastJson(unknown)]).toMatchObject([
      2,
      { error: { code: 'unknown_agent', path: 'target', expected: 'gpt | claude' } },
    ])
    expect((await runResident(['ask', '  ', '--to', 'gpt'], { cwd: folder })).code).toBe(2)
    const noMode = await runResident(['ask', 'hi', '--to', 'gpt', '--mode', 'alone', '--json'], { cwd: folder })
    expect([noMode.code, lastJson(noMode)]).toMatchObject([2, { error: { path: 'mode' } }])
    expect((await runResident(['ask', 'hi', '--mode', 'single'], { cwd: folder })).stderr).toContain('gpt or claude')
  })

  it('keeps the history of a room, and creates no second room of the same name', async () => {
    const folder = temporaryFolder(
      rehearsalProject(
        '- when: { ask: answer, contains: "[gpt] First answer." }\n  text: I remember.\n- when: { ask: answer }\n  text: First answer.',
      ),
    )
    await runResident(['ask', 'one', '--to', 'gpt', '--room', 'plans'], { cwd: folder })
    expect((await runResident(['ask', 'two', '--to', 'claude', '--room', 'plans'], { cwd: folder })).stdout).toBe(
      'I remember.\n',
    )
  })

  it('is a client of the process that owns the project, and takes over when that one is killed', async () => {
    const folder = temporaryFolder(rehearsalProject(talk))
    const serving = start(['serve', '--port', '0', '--json'], { cwd: folder })
    await serving.says(/"url"/)
    const asking = start(['ask', 'slow one', '--to', 'claude', '--json'], { cwd: folder })
    await asking.says(/"ask\.started"/)
    serving.child.kill('SIGKILL')
    writeFileSync(join(folder, 'go'), '')
    const asked = await asking.finished
    expect([asked.code, lastJson<Asked>(asked).items.map((item) => item.text)]).toEqual([
      0,
      ['slow one', 'Late but whole.'],
    ])
    expect(asked.stdout.match(/"reply\.posted"/g)).toHaveLength(1)
    expect(asked.stderr).toContain(`process ${serving.child.pid}, which did the work, is gone`)
    expect(asked.stderr).toContain('this process continues the work: finished steps are kept')
  })

  it('stops its run on SIGINT and exits 130', async () => {
    const folder = temporaryFolder(rehearsalProject('- when: { ask: answer }\n  after_ms: 600000\n  text: never'))
    const asking = start(['ask', 'wait', '--to', 'gpt', '--json'], { cwd: folder })
    await asking.says(/"ask\.started"/)
    asking.child.kill('SIGINT')
    const asked = await asking.finished
    expect([asked.code, lastJson<Asked>(asked).reason]).toEqual([130, 'stopped'])
  })
})
