/** API calls about features and ships. */
import type { BodyOf, ResponseOf } from '../../../../src/serve/call.ts'
import { call } from '../request.ts'

export type FeatureLine = ResponseOf<'GET /api/features'>['features'][number]
export type ShipLine = ResponseOf<'GET /api/ships'>['ships'][number]

export const listFeatures = async () => (await call('GET /api/features')).features

export const listShips = async () => (await call('GET /api/ships')).ships

/** As of `seq`. */
export const getFeature = (feature: string) => call('GET /api/features/:feature', { params: { feature } })

export const getShipSettings = () => call('GET /api/ship-settings')

/** Syncs the feature with git. */
export const checkFeature = (feature: string) => call('GET /api/features/:feature/status', { params: { feature } })

export const greenlight = (feature: string, body: BodyOf<'POST /api/features/:feature/greenlight'>) =>
  call('POST /api/features/:feature/greenlight', { params: { feature }, body })

export const unblock = (feature: string, issue: number) =>
  call('POST /api/features/:feature/unblock', { params: { feature }, body: { issue } })

export const markReviewed = (feature: string, body: BodyOf<'POST /api/features/:feature/reviewed'>) =>
  call('POST /api/features/:feature/reviewed', { params: { feature }, body })

export const runFeature = (feature: string, body: BodyOf<'POST /api/features/:feature/runs'>) =>
  call('POST /api/features/:feature/runs', { params: { feature }, body })

export const getRunReport = (run: string) => call('GET /api/feature-runs/:run/report', { params: { run } })

export const startShip = (body: BodyOf<'POST /api/ships'>) => call('POST /api/ships', { body })

export const getShip = (ship: string) => call('GET /api/ships/:ship/report', { params: { ship } })
