/** Places replies in the conversation: one row each, or side by side when several agents answer at once. */

import type { Answer, Conversation, Entry, Message } from './conversation-types.ts'
import { isExplainedAtAnswer } from './explained-at-answer.ts'

type NewAnswer = Pick<Answer, 'ask' | 'agent' | 'kind' | 'rehearsal' | 'at'>

/** The slot of an ask's reply: created when the ask starts, kept when the reply is complete. */
export function placeAnswer(state: Conversation, message: Message, asked: NewAnswer): Answer {
  const known = message.answers.find((answer) => answer.ask === asked.ask)
  if (known) return known
  const round = message.session?.round
  const maxRounds = message.session?.max_rounds
  const unknown = { item: undefined, role: undefined, flags: [], warning: undefined }
  const answer: Answer = { ...asked, round, maxRounds, ...unknown }
  message.answers.push(answer)
  removeRows(state, message, (entry) => entry.kind === 'waiting' && entry.agent === asked.agent)
  const beside = message.decision?.mode === 'parallel' ? answersRow(state, message) : undefined
  if (beside) {
    beside.answers.push(answer)
    beside.answers.sort((a, b) => order(message, a) - order(message, b))
    beside.revision += 1
  } else {
    if (isExplainedAtAnswer(message.decision)) removeRows(state, message, (entry) => entry.kind === 'round')
    state.entries.push({ kind: 'answers', key: `answers:${asked.ask}`, revision: 0, message, answers: [answer] })
    moveWaitingLast(state, message)
  }
  return answer
}

/** An agent that waits for another's answer is announced first, but shown below it. */
function moveWaitingLast(state: Conversation, message: Message): void {
  const waiting: Entry[] = []
  removeRows(state, message, (entry) => entry.kind === 'waiting' && waiting.unshift(entry) > 0)
  state.entries.push(...waiting)
}

/** Removes slots whose reply will never come. */
export function dropUnwritten(state: Conversation, message: Message, which: (answer: Answer) => boolean): void {
  const drop = (answer: Answer) => answer.item === undefined && which(answer)
  message.answers = message.answers.filter((answer) => !drop(answer))
  removeRows(state, message, (entry) => {
    if (entry.kind === 'waiting') return message.over
    if (entry.kind !== 'answers') return false
    entry.answers = entry.answers.filter((answer) => !drop(answer))
    return entry.answers.length === 0
  })
  if (message.answers.length === 0 && message.roundShown) showRoundAgain(state, message)
}

/** Without an answer that explains it. */
function showRoundAgain(state: Conversation, message: Message): void {
  for (const { entry, index } of rowsOf(state, message)) {
    if (entry.kind === 'round') return
    if (entry.kind === 'message') state.entries.splice(index + 1, 0, roundRow(message))
  }
}

export function roundRow(message: Message): Entry {
  return { kind: 'round', key: `round:${message.id}`, revision: 0, message }
}

/** Re-renders every row of a message. */
export function touchMessage(state: Conversation, message: Message): void {
  for (const { entry } of rowsOf(state, message)) entry.revision += 1
}

function removeRows(state: Conversation, message: Message, remove: (entry: Entry) => boolean): void {
  for (const { entry, index } of rowsOf(state, message)) if (remove(entry)) state.entries.splice(index, 1)
}

/** The rows of a message, last first; active ones are near the end. */
function* rowsOf(state: Conversation, message: Message): Generator<{ entry: Entry; index: number }> {
  for (let index = state.entries.length - 1; index >= 0; index -= 1) {
    const entry = state.entries[index]!
    if (!('message' in entry) || entry.message !== message) continue
    yield { entry, index }
    if (entry.kind === 'message') return
  }
}

function answersRow(state: Conversation, message: Message) {
  for (const { entry } of rowsOf(state, message)) if (entry.kind === 'answers') return entry
  return undefined
}

function order(message: Message, answer: Answer): number {
  const place = message.decision?.responders.indexOf(answer.agent) ?? -1
  return place < 0 ? Number.MAX_SAFE_INTEGER : place
}
