/** API calls about shipping and about the sample project. */
import type { BodyOf, ResponseOf } from '../../../../src/serve/call.ts'
import { call } from '../request.ts'

export type Project = ResponseOf<'GET /api/project'>
export type Sample = NonNullable<Project['sample']>

export const getProject = () => call('GET /api/project')

export const resetSample = () => call('POST /api/sample/reset')

export const startShip = (body: BodyOf<'POST /api/ships'>) => call('POST /api/ships', { body })

export const listShips = async () => (await call('GET /api/ships')).ships

export const getShip = (ship: string) => call('GET /api/ships/:ship', { params: { ship } })
