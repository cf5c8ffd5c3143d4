/** API calls about rooms, messages, sessions and runs. */
import type { Override } from '../../../../src/rules/room/override.ts'
import type { BodyOf, ResponseOf } from '../../../../src/serve/call.ts'
import { call } from '../request.ts'

export type Agent = ResponseOf<'GET /api/agents'>['agents'][number]
export type Room = ResponseOf<'GET /api/rooms/:room'>
export type MessageBody = BodyOf<'POST /api/rooms/:room/messages'>

export const listAgents = async () => (await call('GET /api/agents')).agents

export const listRooms = async (): Promise<Room[]> => (await call('GET /api/rooms')).rooms

export const getRoom = (room: string) => call('GET /api/rooms/:room', { params: { room } })

export const createRoom = (body: BodyOf<'POST /api/rooms'>) => call('POST /api/rooms', { body })

export const postMessage = (room: string, body: MessageBody) =>
  call('POST /api/rooms/:room/messages', { params: { room }, body })

/** Files and folders of the project whose path contains the text. */
export const findFiles = async (query: string) => (await call('GET /api/files', { query: { query, limit: 12 } })).files

/** Sends one agent a private message; its reply appears in the room. */
export const tellAgent = (room: string, to: string, content: string) =>
  call('POST /api/rooms/:room/agent-messages', {
    params: { room },
    body: { kind: 'inform', from: 'you', to, content, expects_reply: true },
  })

export const overrideRoom = (room: string, override: string | null) =>
  call('POST /api/rooms/:room/override', { params: { room }, body: { override } })

export const stopSession = (session: string) => call('POST /api/sessions/:session/stop', { params: { session } })

export const stopRun = (run: string) => call('POST /api/runs/:run/stop', { params: { run } })

export const resumeRun = (run: string) => call('POST /api/runs/:run/resume', { params: { run } })

export const getRun = (run: string) => call('GET /api/runs/:run', { params: { run } })

/** An override as the API takes it. `overrideLabel` is for people. */
export const overrideText = (override: Override) => (override.kind === 'both' ? 'both' : `only ${override.agent}`)
