/** The rooms API: create a room, post a message, read the transcript. */
import { foldEvents } from '../../kernel/fold.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { findFiles } from '../../rules/room/find-files.ts'
import type { Override } from '../../rules/room/override.ts'
import type { AgentMessageRequest } from '../agent-messages.ts'
import { roomStream } from '../events.ts'
import { type Room, type Session, type TranscriptItem, transcript } from '../view.ts'
import type { RoomsDependencies } from './deps.ts'
import { type MessageRequest, type Posted, postMessage } from './post-message.ts'
import { type NewRoomRequest, RoomDirectory } from './room-directory.ts'
import { type SentAgentMessage, sendAgentMessage } from './send-agent-message.ts'
import { Sessions } from './sessions.ts'

export class Rooms {
  readonly #deps: RoomsDependencies
  readonly #directory: RoomDirectory
  readonly #sessions: Sessions

  private constructor(deps: RoomsDependencies, directory: RoomDirectory) {
    this.#deps = deps
    this.#directory = directory
    this.#sessions = new Sessions(deps)
  }

  static async open(deps: RoomsDependencies): Promise<Rooms> {
    return new Rooms(deps, await RoomDirectory.open(deps))
  }

  list(): Room[] {
    return this.#directory.list()
  }

  /** The rooms with members of their own. */
  restricted(): Iterable<Room> {
    return this.#directory.restricted()
  }

  /** Throws if there is no such room. */
  get(id: string): Room & { override?: Override } {
    return this.#directory.get(id)
  }

  /** Undefined if there is no such room. Also finds a room that another process has just created. */
  find(id: string): Promise<Room | undefined> {
    return this.#directory.find(id)
  }

  /** Reads what other processes changed before this position of the log; without a position, all of it. */
  catchUp(upTo?: number): Promise<void> {
    return this.#directory.catchUp(upTo)
  }

  create(request: NewRoomRequest): Promise<Room> {
    return this.#directory.create(request)
  }

  /** RD10: applies to the room until it is reset with `null`. */
  override(room: string, text: string | null): Promise<Room & { override?: Override }> {
    return this.#directory.override(room, text)
  }

  async post(roomId: string, request: MessageRequest): Promise<Posted> {
    await this.find(roomId)
    return postMessage(this.#deps, this.#known(roomId), request)
  }

  /** AM: sends a message from one agent, or from the person (`you`), to an agent or to all others. */
  async postAgentMessage(
    roomId: string,
    request: AgentMessageRequest,
    id: string = timeOrderedId(),
  ): Promise<SentAgentMessage> {
    return sendAgentMessage(this.#deps, this.#known(roomId), request, id)
  }

  /** Files and folders of the project whose path contains the text, best first. */
  async findFiles(text: string, most?: number): Promise<string[]> {
    return findFiles(await this.#deps.files.list(), text, most)
  }

  async transcript(roomId: string): Promise<TranscriptItem[]> {
    await this.find(roomId)
    this.get(roomId)
    return foldEvents(transcript, await this.#deps.store.read({ stream: roomStream(roomId) }))
  }

  /** The session with its part of the transcript. */
  sessionWithItems(id: string): Promise<Session & { items: TranscriptItem[] }> {
    return this.#sessions.withItems(id)
  }

  session(id: string): Promise<Session> {
    return this.#sessions.get(id)
  }

  /** Does nothing if the session has ended. */
  stopSession(id: string): Promise<Session> {
    return this.#sessions.stop(id)
  }

  #known(roomId: string): { room: Room; known: string[] } {
    const room = this.get(roomId)
    return { room, known: this.#directory.knownAgents(room) }
  }
}
