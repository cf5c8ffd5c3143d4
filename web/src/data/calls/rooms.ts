/** API calls about rooms, messages, sessions and runs. */
import type { Override } from '../../../../src/rules/room/override.ts'
import { request } from '../request.ts'

export interface Agent {
  name: string
  provider: string
  model?: string
  rehearsal: boolean
}

export interface Room {
  id: string
  name: string
  agents: string[]
  override?: Override
}

/** A message as it is sent. The same `message_id` is the same message, however often it is sent. */
export interface MessageBody {
  text: string
  message_id?: string
  mode?: 'single' | 'coordinate' | 'collaborate' | 'autopilot'
  target?: string
  participants?: string[]
  speaker?: string
  max_rounds?: number
  override?: string
}

export interface Posted {
  message_id: string
  session_id?: string
  run: string
}

export const listAgents = async () => (await request<{ agents: Agent[] }>('/agents')).agents

export const listRooms = async () => (await request<{ rooms: Room[] }>('/rooms')).rooms

export const getRoom = (room: string) => request<Room>(`/rooms/${encodeURIComponent(room)}`)

export const createRoom = (body: { name?: string; agents?: string[] }) => request<Room>('/rooms', body)

export const postMessage = (room: string, body: MessageBody) =>
  request<Posted>(`/rooms/${encodeURIComponent(room)}/messages`, body)

export const overrideRoom = (room: string, override: string | null) =>
  request<Room>(`/rooms/${encodeURIComponent(room)}/override`, { override })

export const stopSession = (session: string) => request(`/sessions/${encodeURIComponent(session)}/stop`, {})

export const stopRun = (run: string) => request(`/runs/${encodeURIComponent(run)}/stop`, {})

export const resumeRun = (run: string) => request(`/runs/${encodeURIComponent(run)}/resume`, {})

export const getRun = (run: string) =>
  request<{ id: string; status: string; reason?: string }>(`/runs/${encodeURIComponent(run)}`)

/** An override as the API takes it. `overrideLabel` is for people. */
export const overrideText = (override: Override) => (override.kind === 'both' ? 'both' : `only ${override.agent}`)
