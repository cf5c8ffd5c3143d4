/** Invariants after any schedule, whatever was said, failed, stopped or restarted. Each returns its violations. */
import { askFinished, askStarted } from '../../src/kernel/ask/ask-events.ts'
import { budgetExhausted } from '../../src/kernel/budget/budget.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import {
  messagePosted,
  noticePosted,
  replyPosted,
  roomStream,
  roundResolved,
  sessionEnded,
  sessionStarted,
  turnStarted,
} from '../../src/room/events.ts'
import { transcriptItems } from '../../src/room/view.ts'
import { dispatch } from '../../src/rules/room/dispatch.ts'
import { recordedLimits } from '../../src/rules/room/dispatch-limits.ts'
import type { Played } from './fuzz-play.ts'
import { markOf, type Schedule } from './fuzz-schedule.ts'

export function violations(schedule: Schedule, played: Played): string[] {
  return [
    ...unfinishedRuns(played),
    ...unansweredMessages(played),
    ...invalidRounds(played),
    ...invalidSessions(played),
    ...transcriptsOutOfOrder(played),
    ...invalidAsks(played),
    ...overBudget(schedule, played),
    ...mixedSessions(played),
    ...changedDecisions(played),
  ]
}

function unfinishedRuns({ runs }: Played): string[] {
  return runs
    .filter((run) => run.status !== 'done')
    .map(({ id, status, reason }) => `run ${id} is ${status}: ${reason}`)
}

/** RD1, RD8: each message is in the log once, and is answered or explained. */
function unansweredMessages({ events, messages }: Played): string[] {
  return messages.flatMap(({ message: { message_id, text } }) => {
    const about = events.filter((event) => messageOf(event) === message_id)
    const posted = about.filter((event) => messagePosted.is(event)).length
    const words = about.filter((event) => replyPosted.is(event) || noticePosted.is(event)).length
    return [
      ...(posted === 1 ? [] : [`'${text}' was posted ${posted} times`]),
      ...(words > 0 ? [] : [`'${text}' was neither answered nor explained`]),
    ]
  })
}

/** RD2, RD5, RD8, RD12: who may answer, and how often. */
function invalidRounds({ events, messages }: Played): string[] {
  return messages.flatMap(({ message: { message_id, target, text } }) => {
    const about = events.filter((event) => messageOf(event) === message_id)
    if (about.some((event) => sessionStarted.is(event))) return []
    const replies = about.filter((event) => replyPosted.is(event)).map(({ data }) => data)
    const rounds = about.filter((event) => roundResolved.is(event)).map(({ data }) => data)
    const wrong: string[] = []
    const agents = replies.map(({ agent }) => agent)
    if (new Set(agents).size < agents.length) wrong.push(`an agent answered twice: ${agents}`)
    if (replies.filter(({ role }) => role === 'primary' || role === 'stand-in').length > 1)
      wrong.push(`two answers where one was due: ${agents}`)
    if (rounds.length > (target === undefined ? 1 : 0)) wrong.push(`decided ${rounds.length} times`)
    const standsIn = replies.some(({ role }) => role === 'stand-in')
    const due = target === undefined ? (rounds[0]?.responders ?? []) : [target]
    if (standsIn ? replies.length > 1 : agents.some((agent) => !due.includes(agent)))
      wrong.push(`answered by ${agents}, but ${due} were to answer`)
    const asked = events
      .filter((event) => askStarted.is(event))
      .filter((event) => event.run === `message-${message_id}`)
    const questions = asked.map(({ data }) => `${data.kind} ${data.for ?? data.agent}`)
    if (new Set(questions).size < questions.length) wrong.push(`asked twice: ${questions}`)
    const stopped = about.filter((event) => noticePosted.is(event) && event.data.text === 'Stopped by user.').length
    if (stopped > 1) wrong.push('stopped more than once')
    return wrong.map((what) => `'${text}': ${what}`)
  })
}

/** TN3, TN4, TN6, TN8: turns count from 1 without a gap, up to the cap; there is one end, and nothing after it. */
function invalidSessions({ events }: Played): string[] {
  return events
    .filter((event) => sessionStarted.is(event))
    .flatMap(({ data: { session_id, max_rounds, participants } }) => {
      const about = events.filter((event) => (event.data as { session_id?: string }).session_id === session_id)
      const rounds = about.filter((event) => turnStarted.is(event)).map(({ data }) => data.round)
      const replies = about.filter((event) => replyPosted.is(event)).map(({ data }) => data)
      const ends = about.filter((event) => sessionEnded.is(event))
      const wrong: string[] = []
      if (rounds.some((round, index) => round !== index + 1)) wrong.push(`rounds ${rounds}`)
      if (rounds.length > max_rounds) wrong.push(`${rounds.length} rounds of ${max_rounds}`)
      if (replies.length > rounds.length) wrong.push(`${replies.length} replies in ${rounds.length} rounds`)
      if (replies.some(({ agent }) => !participants.includes(agent))) wrong.push('someone spoke who does not take part')
      if (ends.length !== 1) wrong.push(`ended ${ends.length} times`)
      if (about.at(-1) !== ends[0]) wrong.push(`${about.at(-1)!.type} came after the end`)
      return wrong.map((what) => `session ${session_id}: ${what}`)
    })
}

function transcriptsOutOfOrder({ events, rooms }: Played): string[] {
  return rooms.flatMap(({ id, transcript }) => {
    const logged = events.filter((event) => event.stream === roomStream(id)).flatMap(transcriptItems)
    return JSON.stringify(transcript) === JSON.stringify(logged)
      ? []
      : [`the transcript of room ${id} is not the log's`]
  })
}

/** BU1: a finished ask was started, both once; only an ask that the budget refused was never started. */
function invalidAsks({ events }: Played): string[] {
  const started = events.filter((event) => askStarted.is(event)).map(({ data }) => data.ask)
  const finished = events.filter((event) => askFinished.is(event)).map(({ data }) => data)
  const made = finished.filter(({ failure }) => failure?.reason !== 'budget').map(({ ask }) => ask)
  return [
    ...twice(started).map((ask) => `ask ${ask} started twice`),
    ...twice(finished.map(({ ask }) => ask)).map((ask) => `ask ${ask} finished twice`),
    ...made.filter((ask) => !started.includes(ask)).map((ask) => `ask ${ask} finished without a start`),
  ]
}

/** BU1: a call is an `ask.started`; the budget is used up before a call is refused. */
function overBudget({ calls }: Schedule, { events, runs }: Played): string[] {
  if (calls === undefined) return []
  return runs.flatMap(({ id }) => {
    const made = events.filter((event) => askStarted.is(event) && event.run === id).length
    const exhausted = events.filter((event) => budgetExhausted.is(event) && event.run === id).length
    if (made > calls) return [`run ${id} made ${made} calls of ${calls}`]
    return exhausted > 1 || (exhausted === 1 && made < calls) ? [`run ${id}: ${made} calls of ${calls}, exhausted`] : []
  })
}

/** TN7, TN9: a session's prompt contains its own goal and no other session's words; of the room, only what was said before. */
function mixedSessions({ calls, messages, events }: Played): string[] {
  const startOf = new Map(events.filter((event) => messagePosted.is(event)).map(({ run, seq }) => [run, seq]))
  const replies = events
    .filter((event) => replyPosted.is(event))
    .filter(({ data }) => /^(Turn|Answer)\d/.test(data.text))
    .map(({ seq, data }) => ({ seq, text: data.text, session: data.session_id && `session-${data.session_id}` }))
  const goals = messages.map(({ message }, number) => {
    const run = [`session-${message.message_id}`, `message-${message.message_id}`].find((id) => startOf.has(id))
    return { text: markOf(number), session: run?.startsWith('session-') ? run : undefined, seq: startOf.get(run) ?? 0 }
  })
  return calls
    .filter((call) => call.kind === 'turn')
    .flatMap(({ run, prompt }) => {
      const start = startOf.get(run) ?? 0
      const foreign = [...replies, ...goals].filter(({ session, seq }) => session !== run && (session || seq > start))
      const own = goals.filter(({ session }) => session === run)
      return [
        ...foreign
          .filter(({ text }) => prompt.includes(text))
          .map(({ text }) => `${run} was told '${text}' from elsewhere`),
        ...own.filter(({ text }) => !prompt.includes(text)).map(({ text }) => `${run} was not told ${text}`),
      ]
    })
}

/** EV2: the rule, given the recorded input, returns the recorded decision. */
function changedDecisions({ events }: Played): string[] {
  return events
    .filter((event) => roundResolved.is(event))
    .filter(({ data }) => data.coordination.calls > 0 && data.override === undefined)
    .flatMap(({ data }) => {
      const agents = [...Object.keys(data.proposals), ...data.missing.map(({ agent }) => agent)]
      const { mode, winner, runnerUp, responders, rule, overlap, limits } = data
      const again = dispatch(data.proposals, agents, recordedLimits(limits))
      const before = { mode, winner, responders, overlap, rule, reason: data.reason, ...(runnerUp ? { runnerUp } : {}) }
      const same = Object.entries(again).every(([key, value]) => {
        return JSON.stringify(value) === JSON.stringify(before[key as keyof typeof before])
      })
      return same ? [] : [`recorded ${JSON.stringify(before)}, decided ${JSON.stringify(again)}`]
    })
}

function messageOf(event: StoredEvent): string | undefined {
  return (event.data as { message_id?: string }).message_id
}

function twice(items: string[]): string[] {
  return items.filter((item, index) => items.indexOf(item) !== index)
}
