import { describe, expect, it } from 'vitest'
import type { NewEvent, StoredEvent } from '../../../../src/kernel/events.ts'
import { foldEvents } from '../../../../src/kernel/fold.ts'
import * as facts from '../../../../src/room/events.ts'
import * as peerFacts from '../../../../src/room/peers/events.ts'
import { transcript } from '../../../../src/room/view.ts'
import { conversation, runningMessages } from './conversation.ts'
import type { Entry } from './conversation-types.ts'
import { belongsElsewhere } from './referenced-message.ts'

const header = { stream: 'room:r', run: 'message-1' }
const usage = { inputTokens: 10, outputTokens: 5, usd: 0.001 }

function log(...events: NewEvent[]): StoredEvent[] {
  const ts = '2026-03-01T10:00:00.000Z'
  return events.map((event, index) => ({ ...event, seq: index + 1, id: `e${index + 1}`, ts }))
}

const said = (mode: facts.RoomMode, target = 'router', run = 'message-1') =>
  facts.messagePosted.create({ ...header, run }, { message_id: run.split('-')[1]!, text: 'Which queue?', mode, target })
const asked = (kind: string, agent: string, ask = `${kind}-${agent}`, run = 'message-1'): NewEvent => ({
  ...header,
  run,
  type: 'ask.started',
  version: 1,
  data: { ask, kind, agent, rehearsal: false, attempt: 1 },
})
const finished = (kind: string, agent: string, failure?: { reason: string; message: string }): NewEvent => ({
  ...header,
  type: 'ask.finished',
  version: 1,
  data: {
    ask: `${kind}-${agent}`,
    kind,
    agent,
    rehearsal: false,
    attempt: 1,
    usage,
    tries: 1,
    milliseconds: 400,
    failure,
  },
})
const replied = (agent: string, more: object = {}) =>
  facts.replyPosted.create(header, {
    message_id: '1',
    ask: `answer-${agent}`,
    agent,
    rehearsal: false,
    text: `${agent} says`,
    ...more,
  })
const resolved = (mode: 'solo' | 'parallel' | 'synthesis', responders: string[], rule: string = mode) =>
  facts.roundResolved.create(header, {
    message_id: '1',
    mode,
    rule,
    reason: 'because',
    winner: responders[0]!,
    responders,
    overlap: 0.1,
    proposals: {},
    missing: [],
    limits: {},
    coordination: { calls: 2, tokens: 30, usd: 0, milliseconds: 400 },
  })
const notice = (text: string, ends?: 'stopped' | 'unanswered') =>
  facts.noticePosted.create(header, { message_id: '1', text, ...(ends ? { ends } : {}) })

const foldAll = (events: StoredEvent[]) => foldEvents(conversation, events)
const kinds = (entries: Entry[]) => entries.map((entry) => entry.kind)
const agentsOf = (entry: Entry | undefined) =>
  entry?.kind === 'answers' ? entry.answers.map(({ agent }) => agent) : []

describe('a room of peers', () => {
  const below = (event: NewEvent, agent: string): NewEvent => ({ ...event, run: `message-1/${agent}` })
  const claimed = (agent: string, epoch: number, flags?: ('last_resort' | 'stand_in')[]) =>
    peerFacts.partClaimed.create(
      { ...header, actor: agent },
      { message_id: '1', part: 1, agent, epoch, ...(flags ? { flags } : {}) },
    )

  it('counts what each peer asked to the message, although it has runs of its own', () => {
    const events = log(
      said('coordinate'),
      below(asked('micro-proposal', 'gpt'), 'gpt'),
      below(finished('micro-proposal', 'gpt'), 'gpt'),
    )
    expect([...foldAll(events).messages.values()][0]!.asks).toMatchObject([{ owner: 'gpt', finished: { tries: 1 } }])
  })

  it('tells who recorded the decision, who claimed which part, and how each claim ended', () => {
    const failed = { message_id: '1', part: 1, agent: 'gpt', epoch: 1, reason: 'timeout', message: 'too slow' }
    const events = log(
      said('coordinate'),
      { ...resolved('solo', ['gpt']), actor: 'claude' },
      claimed('gpt', 1),
      peerFacts.partFailed.create({ ...header, actor: 'gpt' }, failed),
      claimed('claude', 2, ['stand_in']),
      replied('claude', { part: 1, epoch: 2, flags: ['stand_in'], role: 'stand-in' }),
    )
    const [message] = [...foldAll(events).messages.values()]
    expect(message!.peers).toEqual({
      decidedBy: 'claude',
      claims: [
        { part: 1, agent: 'gpt', epoch: 1, flags: [], end: 'failed', why: 'too slow' },
        { part: 1, agent: 'claude', epoch: 2, flags: ['stand_in'], end: 'answered', why: undefined },
      ],
      disputes: [],
      stalled: false,
    })
    expect(message!.answers).toMatchObject([{ agent: 'claude', flags: ['stand_in'] }])
  })

  it('has no facts of peers where the router decides', () => {
    const events = log(said('coordinate'), { ...resolved('solo', ['gpt']), actor: 'router' })
    expect([...foldAll(events).messages.values()][0]!.peers).toBeUndefined()
  })
})

describe('the story of a room', () => {
  it('shows a single call: the message, and its answer in the place where it was begun', () => {
    const events = log(said('single', 'gpt'), asked('answer', 'gpt'), finished('answer', 'gpt'), replied('gpt'))
    const begun = foldAll(events.slice(0, 2))
    expect(kinds(begun.entries)).toEqual(['message', 'answers'])
    expect(runningMessages(begun)).toHaveLength(1)
    const done = foldAll(events)
    expect(kinds(done.entries)).toEqual(['message', 'answers'])
    expect(done.messages.get('1')?.answers[0]?.item?.text).toBe('gpt says')
    expect(runningMessages(done)).toEqual([])
  })

  it('shows those who answer at once side by side, the winner first, whoever is ready first', () => {
    const events = log(
      said('coordinate'),
      asked('micro-proposal', 'gpt'),
      asked('micro-proposal', 'claude'),
      finished('micro-proposal', 'claude'),
      finished('micro-proposal', 'gpt'),
      resolved('parallel', ['gpt', 'claude']),
      asked('answer', 'claude'),
      asked('answer', 'gpt'),
      finished('answer', 'claude'),
      replied('claude', { role: 'secondary' }),
      finished('answer', 'gpt'),
      replied('gpt', { role: 'primary' }),
    )
    const half = foldAll(events.slice(0, 10))
    expect(kinds(half.entries)).toEqual(['message', 'round', 'answers'])
    expect(agentsOf(half.entries[2])).toEqual(['gpt', 'claude'])
    expect(runningMessages(half)).toHaveLength(1)
    expect(runningMessages(foldAll(events))).toEqual([])
  })

  it('gives an answer alone no row that explains it, unless somebody was missing', () => {
    const solo = resolved('solo', ['gpt'], 'gap')
    const answered = [asked('answer', 'gpt'), finished('answer', 'gpt'), replied('gpt')]
    const rows = (decision: typeof solo) => kinds(foldAll(log(said('coordinate'), decision, ...answered)).entries)
    expect(kinds(foldAll(log(said('coordinate'), solo)).entries)).toEqual(['message', 'round'])
    expect(rows(solo)).toEqual(['message', 'answers'])
    const missing = [{ agent: 'claude', reason: 'timeout' as const }]
    expect(rows({ ...solo, data: { ...solo.data, missing } })).toEqual(['message', 'round', 'answers'])
  })

  it('[RD13] shows a pass as a line, not as an answer, and the message is over', () => {
    const pass = facts.replyPassed.create(header, {
      message_id: '1',
      ask: 'answer-claude',
      agent: 'claude',
      role: 'secondary',
    })
    const done = foldAll(
      log(
        said('coordinate'),
        resolved('parallel', ['gpt', 'claude']),
        asked('answer', 'claude'),
        asked('answer', 'gpt'),
        finished('answer', 'gpt'),
        replied('gpt', { role: 'primary' }),
        finished('answer', 'claude'),
        pass,
      ),
    )
    expect(kinds(done.entries)).toEqual(['message', 'round', 'answers', 'passed'])
    expect(agentsOf(done.entries[2])).toEqual(['gpt'])
    expect(done.messages.get('1')?.passed).toEqual(['claude'])
    expect(runningMessages(done)).toEqual([])
  })

  it('shows who waits to read another first, until its own answer begins', () => {
    const wait = facts.answerWaiting.create(header, { message_id: '1', agent: 'claude', for: 'gpt' })
    const events = log(
      said('coordinate'),
      resolved('synthesis', ['gpt', 'claude']),
      wait,
      asked('answer', 'gpt'),
      finished('answer', 'gpt'),
      replied('gpt'),
      asked('answer', 'claude'),
    )
    expect(kinds(foldAll(events.slice(0, 6)).entries)).toEqual(['message', 'round', 'answers', 'waiting'])
    const both = foldAll(events)
    expect(kinds(both.entries)).toEqual(['message', 'round', 'answers', 'answers'])
    expect(runningMessages(both)).toHaveLength(1)
  })

  it('takes back the place of an answer that failed, and goes on until another one has stepped in', () => {
    const events = log(
      said('coordinate'),
      resolved('solo', ['gpt'], 'gap'),
      asked('answer', 'gpt'),
      finished('answer', 'gpt', { reason: 'rate-limited', message: 'too many' }),
      asked('answer', 'claude'),
      finished('answer', 'claude'),
      replied('claude', { role: 'stand-in' }),
      notice('claude answered in place of gpt: too many'),
    )
    const failed = foldAll(events.slice(0, 4))
    expect(kinds(failed.entries)).toEqual(['message', 'round'])
    expect(runningMessages(failed)).toHaveLength(1)
    const done = foldAll(events)
    expect(kinds(done.entries)).toEqual(['message', 'answers', 'notice'])
    expect(runningMessages(done)).toEqual([])
  })

  it('is over for an agent that was called by name and failed: nobody steps in', () => {
    const failure = { reason: 'timeout', message: 'silent' }
    const events = log(
      said('coordinate'),
      resolved('solo', ['gpt'], 'mention'),
      asked('answer', 'gpt'),
      finished('answer', 'gpt', failure),
      notice('gpt could not answer: silent'),
    )
    expect(runningMessages(foldAll(events))).toEqual([])
  })

  it('counts the turns of a session, keeps hand-offs in order and ends with its reason', () => {
    const within = (round: number) => ({ session_id: 's', round, max_rounds: 6 })
    const turn = (speaker: string, round: number) =>
      facts.turnStarted.create(header, { session_id: 's', speaker, round })
    const handoff = { message_id: '1', call_id: 'h1', from: 'claude', to: 'gpt', task: 'edit it', ...within(2) }
    const goal = {
      session_id: 's',
      message_id: '1',
      goal: 'a tale',
      participants: ['claude', 'gpt'],
      speaker: 'claude',
    }
    const events = log(
      said('collaborate'),
      facts.sessionStarted.create(header, { ...goal, max_rounds: 6, autopilot: false }),
      turn('claude', 1),
      asked('turn', 'claude', 't1'),
      replied('claude', { ask: 't1', ...within(1) }),
      facts.handoffPosted.create(header, handoff),
      turn('gpt', 2),
      asked('turn', 'gpt', 't2'),
      facts.sessionEnded.create(header, { session_id: 's', reason: 'canceled', round: 2 }),
    )
    const running = foldAll(events.slice(0, 8))
    expect(kinds(running.entries)).toEqual(['message', 'answers', 'handoff', 'answers'])
    expect(running.messages.get('1')?.session).toMatchObject({
      round: 2,
      max_rounds: 6,
      status: 'running',
      speaker: 'claude',
    })
    expect(running.messages.get('1')?.answers.map(({ round }) => round)).toEqual([1, 2])
    const ended = foldAll(events)
    expect(kinds(ended.entries)).toEqual(['message', 'answers', 'handoff', 'session-end'])
    expect(ended.messages.get('1')?.session).toMatchObject({ status: 'ended', end_reason: 'canceled' })
    expect(runningMessages(ended)).toEqual([])
  })

  it('keeps what two messages at once are told apart', () => {
    const events = log(
      said('single', 'gpt', 'message-1'),
      said('single', 'claude', 'message-2'),
      asked('answer', 'gpt', 'a1', 'message-1'),
      asked('answer', 'claude', 'a2', 'message-2'),
    )
    const state = foldAll(events)
    expect(state.messages.get('1')?.answers.map(({ ask }) => ask)).toEqual(['a1'])
    expect(state.messages.get('2')?.answers.map(({ ask }) => ask)).toEqual(['a2'])
  })

  it('says what a row belongs to where the one before it belongs to something else', () => {
    const events = log(
      said('single', 'gpt', 'message-1'),
      said('single', 'claude', 'message-2'),
      asked('answer', 'gpt', 'a1', 'message-1'),
      asked('answer', 'claude', 'a2', 'message-2'),
    )
    const { entries } = foldAll(events)
    expect(entries.map((_, index) => belongsElsewhere(entries, index)?.id)).toEqual([undefined, undefined, '1', '2'])
    const alone = foldAll(log(said('single', 'gpt'), asked('answer', 'gpt'))).entries
    expect(alone.map((_, index) => belongsElsewhere(alone, index))).toEqual([undefined, undefined])
  })

  it('takes up a session that had ended where a fork goes on with it', () => {
    const session = { session_id: '1', message_id: '1', goal: 'g', participants: ['gpt'], speaker: 'gpt' }
    const forked = { ...header, run: 'fork-1' }
    const turn = (from: typeof header, round: number) =>
      facts.turnStarted.create(from, { session_id: '1', speaker: 'gpt', round })
    const ended = (from: typeof header, round: number) =>
      facts.sessionEnded.create(from, { session_id: '1', reason: 'final', round })
    const events = log(
      said('collaborate'),
      facts.sessionStarted.create(header, { ...session, max_rounds: 6, autopilot: false }),
      turn(header, 1),
      ended(header, 1),
      turn(forked, 2),
      asked('turn', 'gpt', 't2', 'fork-1'),
      ended(forked, 2),
    )
    const going = foldAll(events.slice(0, 6))
    expect(runningMessages(going)).toHaveLength(1)
    expect(going.messages.get('1')).toMatchObject({
      session: { status: 'running', round: 2 },
      answers: [{ ask: 't2' }],
    })
    expect(kinds(going.entries)).toEqual(['message', 'session-end', 'answers'])
    const done = foldAll(events)
    expect(runningMessages(done)).toEqual([])
    expect(new Set(done.entries.map(({ key }) => key)).size).toBe(done.entries.length)
    expect(kinds(done.entries)).toEqual(['message', 'session-end', 'session-end'])
  })

  it('takes back what was being written when the run has ended or was stopped', () => {
    const begun = [said('single', 'gpt'), asked('answer', 'gpt')]
    const over: NewEvent = { stream: 'run:message-1', run: 'message-1', type: 'run.finished', version: 1, data: {} }
    expect(kinds(foldAll(log(...begun, over)).entries)).toEqual(['message'])
    const stopped = foldAll(log(...begun, notice('Stopped by user.', 'stopped')))
    expect(kinds(stopped.entries)).toEqual(['message', 'notice'])
    expect(runningMessages(stopped)).toEqual([])
  })

  it('knows a round that was stopped while agents were proposing from one that could not go on', () => {
    const begun = [said('coordinate'), asked('micro-proposal', 'gpt'), asked('micro-proposal', 'claude')]
    const ended = (ends?: 'stopped' | 'unanswered') =>
      foldAll(log(...begun, finished('micro-proposal', 'gpt'), notice('Some words.', ends))).messages.get('1')
    expect(ended('stopped')).toMatchObject({ over: true, stopped: true, decision: undefined })
    expect(ended('unanswered')).toMatchObject({ over: true, stopped: false })
    expect(ended()).toMatchObject({ over: false, stopped: false })
  })

  it('shows what agents say to each other, what was refused, and where a thread was cut off', () => {
    const sent = {
      id: 'm',
      kind: 'question',
      from: 'gpt',
      content: 'Which?',
      expects_reply: true,
      thread: 't',
      depth: 1,
    }
    const state = foldAll(
      log(
        facts.agentMessageSent.create(header, sent),
        facts.agentMessageDelivered.create(header, { id: 'm', to: 'claude', thread: 't' }),
        facts.agentMessageRefused.create(header, { id: 'n', from: 'claude', thread: 't', reason: 'depth_cap' }),
        facts.threadCapped.create(header, { thread: 't', depth: 6, speakers: ['gpt', 'claude'] }),
      ),
    )
    expect(kinds(state.entries)).toEqual(['agent-message', 'agent-message', 'capped'])
    expect(state.entries[0]).toMatchObject({ deliveredTo: ['claude'] })
    expect(state.entries[1]).toMatchObject({ refused: 'depth_cap' })
  })

  it('has every line of the transcript, once', () => {
    const events = log(
      said('coordinate'),
      resolved('parallel', ['gpt', 'claude']),
      asked('answer', 'gpt'),
      asked('answer', 'claude'),
      replied('claude'),
      replied('gpt'),
      notice('a word'),
    )
    const lines = foldAll(events).entries.flatMap((entry) =>
      entry.kind === 'answers' ? entry.answers.map((answer) => answer.item!) : 'item' in entry ? [entry.item] : [],
    )
    const byId = (a: { call_id: string; text: string }, b: typeof a) =>
      a.call_id + a.text < b.call_id + b.text ? -1 : 1
    expect(lines.sort(byId)).toEqual(foldEvents(transcript, events).sort(byId))
  })

  it('[RD14] keeps what an agent looked up with its ask', () => {
    const used = (data: object): NewEvent => ({ ...header, type: 'tool.used', version: 1, data })
    const { messages } = foldEvents(
      conversation,
      log(
        said('single', 'gpt'),
        asked('answer', 'gpt'),
        used({
          ask: 'answer-gpt',
          tool: 'read',
          summary: 'read src/a.ts',
          ok: true,
          milliseconds: 1,
          file: 'src/a.ts',
        }),
        used({ ask: 'answer-gpt', tool: 'list', summary: 'list .', ok: true, milliseconds: 1 }),
        used({ ask: 'of another', tool: 'list', summary: 'list src', ok: true, milliseconds: 1 }),
      ),
    )
    expect(messages.get('1')!.asks[0]!.tools).toEqual([
      { summary: 'read src/a.ts', file: 'src/a.ts' },
      { summary: 'list .' },
    ])
  })
})
