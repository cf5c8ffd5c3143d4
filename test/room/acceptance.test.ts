/** Collaboration as its first users described it: five acceptance tests and their prompts. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Line, openRoom, recordPrompts } from './open-room.ts'

const fairyTale = 'Write a 2\u2011paragraph fairy tale—Claude drafts, GPT edits, alternate until done (≤4 rounds).'
const hikingTrip = 'Collaborate to outline and refine a 5\u2011step plan for a weekend hiking trip. Keep it concise.'
const oneSentence = 'Summarize this in 1 sentence, then stop.'

const both = { mode: 'collaborate', participants: ['gpt', 'claude'] }
const lost: Line = { when: { ask: 'turn' }, repeat: true, text: 'Which story?' }

/** A turn that only matches an agent whose prompt contains `knowing`. */
function turn(agent: string, round: number, knowing: string, reply: unknown): Line {
  return { when: { ask: 'turn', agent, round, contains: knowing }, reply }
}

const handTo = (to: string, task: string) => ({ to, task })

const fairyTaleScript = [
  turn('claude', 1, fairyTale, {
    message: 'A fox found a lantern that remembered every night.',
    handoff: handTo('gpt', 'Edit the first paragraph.'),
  }),
  turn('gpt', 2, 'A fox found a lantern', {
    message: 'A fox found a lantern that forgot no night.',
    handoff: handTo('claude', 'Write the second paragraph.'),
  }),
  turn('claude', 3, 'a lantern that forgot no night', {
    message: 'It lit her way home, and then it slept.',
    handoff: handTo('gpt', 'Give it a last look.'),
  }),
  turn('gpt', 4, 'It lit her way home', { message: 'Both paragraphs stand. The end.', final: true }),
  lost,
]

describe('acceptance', () => {
  it('[TN7] A: every turn knows the goal and what was said; no agent asks which story', async () => {
    const room = await openRoom(fairyTaleScript)
    const asked = recordPrompts(room.served)
    const { session_id } = await room.ask({ ...both, text: fairyTale, speaker: 'claude', max_rounds: 4 })
    expect(asked.map(({ agent, round }) => [agent, round])).toEqual([
      ['claude', 1],
      ['gpt', 2],
      ['claude', 3],
      ['gpt', 4],
    ])
    const items = await room.transcript()
    const said = items.filter((item) => item.type === 'agent_response').map((item) => item.text)
    for (const [turnsBefore, { prompt }] of asked.entries()) {
      expect(prompt).toContain(fairyTale)
      for (const text of said.slice(0, turnsBefore)) expect(prompt).toContain(text)
    }
    expect(said.join()).not.toContain('Which story?')
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'final', round: 4 })
  })

  it('[TN6] B: with two rounds there are exactly two turns, then the cap', async () => {
    const handOver = (to: string) => ({ message: `over to ${to}`, handoff: handTo(to, 'Do the next step.') })
    const room = await openRoom([
      { when: { ask: 'turn', agent: 'gpt' }, repeat: true, reply: handOver('claude') },
      { when: { ask: 'turn', agent: 'claude' }, repeat: true, reply: handOver('gpt') },
    ])
    const asked = recordPrompts(room.served)
    const { session_id } = await room.ask({ ...both, text: 'Plan, write and test a parser.', max_rounds: 2 })
    expect(asked.map(({ agent }) => agent)).toEqual(['gpt', 'claude'])
    expect((await room.transcript()).map(({ type, sender, target, round }) => [type, sender, target, round])).toEqual([
      ['human_message', 'you', 'router', 1],
      ['agent_response', 'gpt', 'all', 1],
      ['agent_call', 'router', 'claude', 2],
      ['agent_response', 'claude', 'all', 2],
    ])
    expect(await room.session(session_id)).toMatchObject({
      status: 'ended',
      end_reason: 'cap',
      round: 2,
      max_rounds: 2,
    })
  })

  it('[TN5] [TN3] C: a hand-off continues with its task; final ends at once, even with a hand-off', async () => {
    const room = await openRoom([
      turn('gpt', 1, 'Name three birds', { message: 'Wren, owl.', handoff: handTo('claude', 'Add one more bird.') }),
      turn('claude', 2, 'Add one more bird.', {
        message: 'Heron.',
        handoff: handTo('gpt', 'Never asked.'),
        final: true,
      }),
    ])
    const { session_id } = await room.ask({ ...both, text: 'Name three birds' })
    expect((await room.transcript()).map(({ sender, text }) => [sender, text])).toEqual([
      ['you', 'Name three birds'],
      ['gpt', 'Wren, owl.'],
      ['router', 'Add one more bird.'],
      ['claude', 'Heron.'],
    ])
    expect(await room.session(session_id)).toMatchObject({ end_reason: 'final', round: 2, max_rounds: 6 })
  })

  it('[TN2] D: a malformed reply is shown verbatim with a warning, hands off to nobody and ends the session', async () => {
    const raw = 'Sure! {"message": "hello", "mood": "fine", "handoff": {"to": "claude", "task": "go on"}}'
    const room = await openRoom([{ when: { ask: 'turn' }, text: raw }])
    const asked = recordPrompts(room.served)
    const { session_id } = await room.ask({ ...both, text: 'Say hello' })
    const items = await room.transcript()
    expect(items.map(({ type, sender, text }) => [type, sender, text])).toEqual([
      ['human_message', 'you', 'Say hello'],
      ['agent_response', 'gpt', raw],
    ])
    expect((await room.events('reply.posted'))[0]!.data).toMatchObject({ warning: expect.stringMatching(/malformed/) })
    expect(asked).toHaveLength(1)
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'malformed', round: 1 })
  })

  it('[TN8] E: Stop ends the session with the notice, and the reply in flight never appears', async () => {
    const room = await openRoom([
      turn('gpt', 1, 'Count', { message: 'one', handoff: handTo('claude', 'two, please') }),
      { when: { ask: 'turn', agent: 'claude' }, after_file: 'go', reply: { message: 'a late two', final: true } },
    ])
    const { session_id, run } = await room.say({ ...both, text: 'Count' })
    await room.until((event) => event.type === 'ask.started' && event.actor === 'claude')
    expect((await room.served.call('POST', `/api/sessions/${session_id}/stop`)).status).toBe(202)
    await room.over(run)
    const items = await room.transcript()
    expect(items.at(-1)).toMatchObject({
      type: 'agent_response',
      sender: 'router',
      target: 'all',
      text: 'Collaboration canceled by user.',
      session_id,
      round: 2,
    })
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'canceled', round: 2 })
    room.release('go')
    await pause(400)
    expect(await room.transcript()).toEqual(items)
    expect(JSON.stringify(await room.served.app.store.read({}))).not.toContain('a late two')
  })
})

describe('the prompts, word for word', () => {
  it('1: a plan for a weekend is refined by turns and declared final within six rounds', async () => {
    const steps = ['Pick a trail.', 'Check the weather.', 'Pack for two days.', 'Book a hut.']
    const room = await openRoom([
      ...steps.map((message, index) => {
        const [speaker, other] = index % 2 === 0 ? ['gpt', 'claude'] : ['claude', 'gpt']
        return turn(speaker!, index + 1, hikingTrip, { message, handoff: handTo(other!, 'Refine it, add a step.') })
      }),
      turn('gpt', 5, 'Book a hut.', { message: 'Tell a friend. That makes five.', final: true }),
      lost,
    ])
    const { session_id } = await room.ask({ ...both, text: hikingTrip })
    const spoken = (await room.transcript()).filter((item) => item.type === 'agent_response')
    expect(spoken.map((item) => item.sender)).toEqual(['gpt', 'claude', 'gpt', 'claude', 'gpt'])
    expect(await room.session(session_id)).toMatchObject({ goal: hikingTrip, end_reason: 'final', round: 5 })
  })

  it('2: the fairy tale, started from text', async () => {
    const room = await openRoom(fairyTaleScript)
    const { session_id } = await room.ask({ text: `@router collaborate claude gpt: ${fairyTale}`, max_rounds: 4 })
    expect(await room.session(session_id)).toEqual({
      id: session_id,
      goal: fairyTale,
      participants: ['claude', 'gpt'],
      round: 4,
      max_rounds: 4,
      status: 'ended',
      end_reason: 'final',
      items: await room.transcript(),
    })
  })

  it('[TN3] 3: one sentence, then stop: the first reply is the last', async () => {
    const room = await openRoom([
      turn('gpt', 1, oneSentence, { message: 'It is about foxes.', final: true }),
      { ...lost, text: 'too much' },
    ])
    const { session_id } = await room.ask({ ...both, text: oneSentence })
    expect((await room.transcript()).map((item) => item.text)).toEqual([oneSentence, 'It is about foxes.'])
    expect(await room.session(session_id)).toMatchObject({ end_reason: 'final', round: 1 })
  })

  it('[TN9] 4: two requests back to back run concurrently and know nothing of each other', async () => {
    const about = (goal: string, secret: string) => [
      {
        ...turn('gpt', 1, goal, { message: `${secret} first`, handoff: handTo('claude', `${secret} task`) }),
        after_ms: 30,
      },
      turn('claude', 2, `${secret} first`, { message: `${secret} second`, handoff: handTo('gpt', `${secret} end`) }),
      turn('gpt', 3, `${secret} second`, { message: `${secret} third`, final: true }),
    ]
    const room = await openRoom([...about('the first goal', 'amber'), ...about('the other goal', 'cobalt'), lost])
    const asked = recordPrompts(room.served)
    const [first, other] = await Promise.all([
      room.say({ ...both, text: 'the first goal' }),
      room.say({ ...both, text: 'the other goal' }),
    ])
    await Promise.all([room.over(first.run), room.over(other.run)])
    const items = await room.transcript()
    for (const [{ session_id }, own] of [[first, 'amber'] as const, [other, 'cobalt'] as const]) {
      const mine = items.filter((item) => item.session_id === session_id)
      expect(mine.slice(1).map((item) => item.text)).toEqual(
        ['first', 'task', 'second', 'end', 'third'].map((word) => `${own} ${word}`),
      )
      expect(await room.session(session_id)).toMatchObject({ end_reason: 'final', round: 3 })
    }
    expect(asked).toHaveLength(6)
    for (const { prompt } of asked) expect(prompt.includes('amber') && prompt.includes('cobalt')).toBe(false)
  })

  it('[TN1] an envelope with words around it is taken, flagged loose, without another call', async () => {
    const prose = 'Of course. Here it is:\n```json\n{"message": "x", "final": true}\n```\nAnything else?'
    const room = await openRoom([{ when: { ask: 'turn' }, text: prose }])
    const { session_id } = await room.ask({ ...both, text: 'Answer with prose around it' })
    expect((await room.transcript()).at(-1)).toMatchObject({ sender: 'gpt', text: 'x' })
    expect(await room.session(session_id)).toMatchObject({ end_reason: 'final' })
    expect((await room.events('ask.finished'))[0]!.data).toMatchObject({ loose: true, tries: 1 })
    expect((await room.events('reply.posted'))[0]!.data).not.toHaveProperty('warning')
  })

  it('[TN2] 5: prose without an envelope falls back to the text, and the room stays usable', async () => {
    const prose = 'Of course. Here it is:\n```json\n{"text": "x", "final": true}\n```\nAnything else?'
    const room = await openRoom([
      { when: { ask: 'turn', contains: 'with prose' }, text: prose },
      { when: { ask: 'turn' }, reply: { message: 'fine', final: true } },
    ])
    const first = await room.ask({ ...both, text: 'Answer with prose around it' })
    expect((await room.transcript()).at(-1)).toMatchObject({ sender: 'gpt', text: prose })
    expect(await room.session(first.session_id)).toMatchObject({ end_reason: 'malformed' })
    const second = await room.ask({ ...both, text: 'And now properly' })
    expect(await room.session(second.session_id)).toMatchObject({ end_reason: 'final' })
  })
})
