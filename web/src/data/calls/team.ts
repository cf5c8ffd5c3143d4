/** API calls about the people and processes that share a project. */
import type { ResponseOf } from '../../../../src/serve/call.ts'
import { call } from '../request.ts'

export type Capacity = ResponseOf<'GET /api/workers'>
export type Worker = Capacity['workers'][number]
export type Me = ResponseOf<'GET /api/me'>
export type AuditPage = ResponseOf<'GET /api/audit'>
export type AuditEntry = AuditPage['entries'][number]

export const getCapacity = () => call('GET /api/workers')

export const getMe = () => call('GET /api/me')

export type User = ResponseOf<'GET /api/users'>['users'][number]
export type Role = User['role']

export const getUsers = () => call('GET /api/users').then(({ users }) => users)

export const addUser = (user: { name: string; role: Role; email?: string }) => call('POST /api/users', { body: user })

export const replaceToken = (user: string) => call('POST /api/users/:user/token', { params: { user } })

export const removeUser = (user: string) => call('POST /api/users/:user/remove', { params: { user } })

export const getAudit = (query: { before?: number; actor?: string }) => call('GET /api/audit', { query })

/** Ends the session of this browser; the next page is that of a stranger. */
export const logOut = () => fetch('/auth/logout', { method: 'POST', redirect: 'manual' })
