/** API calls about the agents and roles of the configuration. */
import type { ResponseOf } from '../../../../src/serve/call.ts'
import { call, callWithin } from '../request.ts'

export type Settings = ResponseOf<'GET /api/settings'>
export type AgentState = Settings['agents'][number]
export type RoleState = Settings['roles'][number]

/** Looks for programs on the machine, which takes a moment. */
export const getSettings = () => callWithin(60_000, 'GET /api/settings', {})

export const connectAgent = (connect: string) => call('POST /api/settings/agents', { body: { connect } })

export const assignRoles = (roles: Record<string, string | null>) =>
  call('POST /api/settings/roles', { body: { roles } })

/** The agent may take two minutes. */
export const tryAgent = (agent: string) =>
  callWithin(150_000, 'POST /api/settings/agents/:agent/try', { params: { agent } })
