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

export const getAudit = (query: { before?: number; actor?: string }) => call('GET /api/audit', { query })
