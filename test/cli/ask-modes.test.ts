/** `convene ask` with several agents: rounds, collaborations, their output, and how they end. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { spoken } from '../room/open-room.ts'
import { type Finished, lastJson, rehearsalProject, start, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'
import { serve } from '../support/server.ts'

interface Asked {
  items: Record<string, unknown>[]
  reason?: string
  session_id?: string
}

const parallel = `
- when: { ask: micro-proposal, agent: gpt }
  repeat: true
  reply: { angle: schema and indexes, confidence: 0.85, covers: [storage] }
- when: { ask: micro-proposal, agent: claude }
  repeat: true
  reply: { angle: delivery, confidence: 0.8, covers: [retries] }
`

const turns = `
- when: { ask: turn, agent: gpt, round: 1 }
  repeat: true
  reply: { message: A draft., handoff: { to: claude, task: edit it } }
- when: { ask: turn, agent: claude, round: 1 }
  repeat: true
  reply: { message: My draft., handoff: { to: gpt, task: edit mine } }
- when: { ask: turn, round: 2 }
  repeat: true
  reply: { message: An edit., handoff: { to: gpt, task: finish it } }
- when: { ask: turn, round: 3 }
  repeat: true
  reply: { message: Done., final: true }
`

function ask(folder: string, ...args: string[]): Promise<Finished> {
  return runResident(['ask', ...args], { cwd: folder })
}

/** The lines before the last: the events, as they were recorded. */
function eventsOf({ stdout }: Finished): StoredEvent[] {
  return stdout
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as StoredEvent)
}

describe('a round', () => {
  it('prints each reply with its name on stdout, and how the room decided on stderr', async () => {
    const folder = temporaryFolder(
      rehearsalProject(
        `${parallel}\n- when: { ask: answer, agent: gpt }\n  text: One.\n- when: { ask: answer, agent: claude }\n  after_file: go\n  text: Two.`,
      ),
    )
    const asking = start(['ask', 'Which queue?'], { cwd: folder })
    await asking.says(/gpt: One/)
    writeFileSync(join(folder, 'go'), '')
    const asked = await asking.finished
    expect(asked).toMatchObject({ code: 0, stdout: 'gpt: One.\nclaude: Two.\n' })
    expect(asked.stderr).toMatch(/PARALLEL: gpt and claude · overlap 0\.00 · 2 proposals, /)
  })

  it('prints only the text if the room has one agent', async () => {
    const folder = temporaryFolder({
      'convene.yaml': 'agents:\n  solo: { provider: rehearsal, script: script.yaml }\n',
      'script.yaml': '- when: { ask: answer }\n  text: Me.',
    })
    expect(await ask(folder, 'Which queue?')).toMatchObject({ code: 0, stdout: 'Me.\n' })
  })

  it('exits 1 with the reason when no agent can answer, and posts a notice', async () => {
    const folder = temporaryFolder(
      rehearsalProject(`${parallel}\n- when: { ask: answer }\n  repeat: true\n  fail: refused`),
    )
    const asked = await ask(folder, 'Which queue?', '--json')
    expect([asked.code, lastJson<Asked>(asked).reason]).toEqual([1, expect.any(String)])
    expect(lastJson<Asked>(asked).items.at(-1)).toMatchObject({ sender: 'router', target: 'all' })
    expect((await ask(folder, 'Which queue?')).stdout).toMatch(/^router: Nobody could answer/)
  })

  it('exits 2 and names the question when a script has no line left for a proposal', async () => {
    const folder = temporaryFolder(rehearsalProject('- when: { ask: answer }\n  text: One.'))
    const asked = await ask(folder, 'Which queue?', '--json')
    expect([asked.code, lastJson<Asked>(asked).reason]).toEqual([2, expect.stringContaining('micro-proposal')])
  })
})

describe('a collaboration', () => {
  it('lets the agents of --to take turns in that order, and ends --json with the session and items', async () => {
    const folder = temporaryFolder(rehearsalProject(turns))
    const asked = await ask(folder, 'Write it', '--mode', 'collaborate', '--to', 'claude,gpt', '--room', 'a', '--json')
    const { items, session_id, reason } = lastJson<Asked>(asked)
    expect([asked.code, reason]).toEqual([0, undefined])
    expect(items.map(({ sender, target, text, round }) => [sender, target, text, round])).toEqual([
      ['you', 'router', 'Write it', 1],
      ['claude', 'all', 'My draft.', 1],
      ['router', 'gpt', 'edit mine', 2],
      ['gpt', 'all', 'An edit.', 2],
    ])
    expect(items.every((item) => item.session_id === session_id && item.max_rounds === 6)).toBe(true)
    expect(eventsOf(asked).find(({ type }) => type === 'session.ended')!.data).toMatchObject({
      reason: 'invalid_handoff',
    })
  })

  it('uses the whole room without --to, and accepts --speaker and --max-rounds', async () => {
    const folder = temporaryFolder(rehearsalProject(turns))
    const asked = await ask(folder, 'Write', '--mode', 'collaborate', '--speaker', 'claude', '--max-rounds', '1')
    expect(asked).toMatchObject({ code: 0, stdout: 'claude: My draft.\n' })
    expect(asked.stderr).toContain('ended: cap')
    const autopilot = await ask(folder, 'Write', '--mode', 'autopilot', '--max-rounds', '1', '--json')
    expect(lastJson<Asked>(autopilot).items.map((item) => item.max_rounds)).toEqual([1, 1])
  })

  it('[TN10] starts from the text of a message too, and returns its session', async () => {
    const folder = temporaryFolder(rehearsalProject(turns))
    const asked = lastJson<Asked>(await ask(folder, '@router collaborate claude gpt: write it', '--json'))
    expect(asked.session_id).toBe(asked.items[0]!.session_id)
    expect(asked.items[1]).toMatchObject({ sender: 'claude', round: 1 })
  })

  it('prints every event of the run once, and as items exactly what the room’s transcript holds', async () => {
    const folder = temporaryFolder(rehearsalProject(turns))
    await ask(folder, 'Something else', '--mode', 'collaborate', '--room', 'a', '--max-rounds', '1')
    const asked = await ask(folder, 'Write it', '--mode', 'collaborate', '--room', 'a', '--json')
    const served = await serve({}, { folder })
    const events = eventsOf(asked)
    const { events: logged } = (await served.call('GET', `/api/events?run=${encodeURIComponent(events[0]!.run!)}`))
      .body as { events: StoredEvent[] }
    expect(events).toEqual(logged)
    const [room] = served.app.rooms.list()
    const transcript = await served.app.rooms.transcript(room!.id)
    const { items, session_id } = lastJson<Asked>(asked)
    expect(items).toEqual(spoken(transcript).filter((item) => item.session_id === session_id))
    expect(transcript.length).toBeGreaterThan(items.length)
  })

  it('exits 1 with agent_failed when an agent fails its turn', async () => {
    const folder = temporaryFolder(rehearsalProject('- when: { ask: turn }\n  fail: refused'))
    const asked = await ask(folder, 'Write', '--mode', 'collaborate', '--json')
    expect([asked.code, lastJson<Asked>(asked).reason]).toEqual([1, 'agent_failed'])
  })

  it('exits 124 when budget.minutes runs out', async () => {
    const slow = turns.replaceAll('repeat: true', 'repeat: true\n  after_ms: 120')
    const folder = temporaryFolder(rehearsalProject(slow, 'budget: { minutes: 0.001 }\n'))
    const asked = await ask(folder, 'Write', '--mode', 'collaborate', '--json')
    expect([asked.code, lastJson<Asked>(asked).reason]).toEqual([124, 'agent_failed'])
  })

  it('exits 1, not 124, when another limit of the budget runs out', async () => {
    const folder = temporaryFolder(rehearsalProject(turns, 'budget: { calls: 1 }\n'))
    expect((await ask(folder, 'Write', '--mode', 'collaborate')).code).toBe(1)
  })

  it('[TN8] is stopped by SIGINT, says so in the room, and exits 130', async () => {
    const folder = temporaryFolder(rehearsalProject('- when: { ask: turn }\n  after_ms: 600000\n  text: never'))
    const asking = start(['ask', 'Write', '--mode', 'collaborate', '--json'], { cwd: folder })
    await asking.says(/"ask\.started"/)
    asking.child.kill('SIGINT')
    const asked = await asking.finished
    expect([asked.code, lastJson<Asked>(asked)]).toMatchObject([
      130,
      { reason: 'stopped', items: [{ sender: 'you' }, { sender: 'router', text: 'Collaboration canceled by user.' }] },
    ])
  })

  it('continues after the owner was killed, without repeating a turn', async () => {
    const slow = turns.replaceAll('repeat: true', 'repeat: true\n  after_ms: 300')
    const folder = temporaryFolder(
      rehearsalProject(`${slow}\n- when: { ask: answer }\n  after_ms: 600000\n  text: never`),
    )
    const owner = start(['ask', 'Keep the project', '--to', 'gpt', '--room', 'other', '--json'], { cwd: folder })
    await owner.says(/"ask\.started"/)
    const asking = start(['ask', 'Write', '--mode', 'collaborate', '--max-rounds', '3', '--json'], { cwd: folder })
    await asking.says(/"handoff\.posted"/)
    owner.child.kill('SIGKILL')
    const asked = await asking.finished
    const { items } = lastJson<Asked>(asked)
    expect(asked.code).toBe(0)
    expect(items.map((item) => item.text)).toEqual(['Write', 'A draft.', 'edit it', 'An edit.', 'finish it', 'Done.'])
  })
})

describe('rooms and arguments', () => {
  it('finds a room by its id, else by its name', async () => {
    const folder = temporaryFolder(rehearsalProject('- when: { ask: answer }\n  repeat: true\n  text: hello'))
    const first = eventsOf(await ask(folder, 'one', '--to', 'gpt', '--room', 'plans', '--json'))
    const id = first.find(({ type }) => type === 'message.posted')!.stream.replace('room:', '')
    const second = eventsOf(await ask(folder, 'two', '--to', 'gpt', '--room', id, '--json'))
    expect(second.find(({ type }) => type === 'message.posted')!.stream).toBe(`room:${id}`)
  })

  it('refuses wrong names, numbers and modes with exit code 2', async () => {
    const folder = temporaryFolder(rehearsalProject(turns))
    const wrong = async (...args: string[]) => {
      const asked = await ask(folder, 'Write', ...args, '--json')
      return [asked.code, (lastJson(asked) as { error: { path?: string } }).error.path]
    }
    expect(await wrong('--to', 'gpt,claude')).toEqual([2, '--mode'])
    expect(await wrong('--to', 'gpt', '--mode', 'coordinate')).toEqual([2, '--to'])
    expect(await wrong('--to', ',')).toEqual([2, '--to'])
    expect(await wrong('--mode', 'collaborate', '--max-rounds', '0')).toEqual([2, '--max-rounds'])
    expect(await wrong('--mode', 'collaborate', '--max-rounds', '51')).toEqual([2, '--max-rounds'])
    expect(await wrong('--mode', 'collaborate', '--to', 'gpt,nobody')).toEqual([2, 'participants.1'])
    expect(await wrong('--mode', 'collaborate', '--to', 'gpt', '--speaker', 'claude')).toEqual([2, 'speaker'])
  })
})
