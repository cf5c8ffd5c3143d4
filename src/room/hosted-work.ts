/** What work started in a room needs from it: post the goal, start a round about it, post notices. */
import type { Workflow } from '../kernel/engine.ts'
import type { NewEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { actingPerson } from '../kernel/users/acting-person.ts'
import { messagePosted, noticePosted, replyPosted, roomStream } from './events.ts'
import type { RoundResult } from './round.ts'
import type { AnswerInput } from './run.ts'

export class HostedWork {
  readonly talk: Workflow<AnswerInput, RoundResult>
  readonly #store: Store
  readonly #room: (id: string) => unknown

  constructor(parts: { store: Store; talk: Workflow<AnswerInput, RoundResult>; room(id: string): unknown }) {
    this.talk = parts.talk
    this.#store = parts.store
    this.#room = parts.room
  }

  check(room: string): void {
    this.#room(room)
  }

  messageEvent({ room, message_id, text }: { room: string; message_id: string; text: string }, run: string): NewEvent {
    const header = { stream: roomStream(room), run, actor: actingPerson().name }
    return messagePosted.create(header, { message_id, text, mode: 'coordinate', target: 'router' })
  }

  noticeEvent(
    { room, message_id }: { room: string; message_id: string },
    words: { text: string; links: { label: string; address: string }[] },
    run: string,
  ): NewEvent {
    return noticePosted.create({ stream: roomStream(room), run, actor: 'router' }, { message_id, ...words })
  }

  async noticeCount(run: string): Promise<number> {
    const events = await this.#store.read({ run, types: [noticePosted.type] })
    return events.filter((event) => event.run === run).length
  }

  async replies(run: string): Promise<{ agent: string; text: string }[]> {
    const events = await this.#store.read({ run, types: [replyPosted.type] })
    return events.flatMap((event) =>
      replyPosted.is(event) ? [{ agent: event.data.agent, text: event.data.text }] : [],
    )
  }
}
