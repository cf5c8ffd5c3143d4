/** API calls about features and ships. */
import type { Mode } from '../../../../src/rules/plan/mode.ts'
import type { IssueDefinition } from '../../../../src/ship/events.ts'
import type { FeatureReport, FeatureRunReport } from '../../../../src/ship/feature/features.ts'
import type { ShipReport } from '../../../../src/ship/ship/ships.ts'
import type { ShipSettings } from '../../../../src/ship/ship-settings.ts'
import type { FeatureView } from '../../../../src/ship/view.ts'
import { request } from '../request.ts'

export interface FeatureLine {
  feature: string
  issues: number
  done: number
  blocked: number
  /** The run that is under way or was stopped. */
  run?: string
}

export interface ShipLine {
  id: string
  goal: string
  feature: string
  status: string
}

export interface RunBody {
  id: string
  issue?: number
  smart: boolean
  merge: boolean
  pull_request?: boolean
}

export interface ShipBody {
  id: string
  goal: string
  mode: Mode
  merge: boolean
  smart: boolean
  yes: boolean
}

const name = encodeURIComponent

export const listFeatures = async () => (await request<{ features: FeatureLine[] }>('/features')).features

export const listShips = async () => (await request<{ ships: ShipLine[] }>('/ships')).ships

/** As it was at `seq`. */
export const getFeature = (feature: string) => request<FeatureView & { seq: number }>(`/features/${name(feature)}`)

export const getShipSettings = () => request<ShipSettings>('/ship-settings')

/** Syncs the feature with git. */
export const checkFeature = (feature: string) => request<FeatureReport>(`/features/${name(feature)}/status`)

export const greenlight = (feature: string, body: { issues?: IssueDefinition[]; from_github?: string }) =>
  request<FeatureReport>(`/features/${name(feature)}/greenlight`, body)

export const unblock = (feature: string, issue: number) =>
  request<FeatureReport>(`/features/${name(feature)}/unblock`, { issue })

export const markReviewed = (feature: string, body: { issue: number } | { all: true }) =>
  request<FeatureReport>(`/features/${name(feature)}/reviewed`, body)

export const runFeature = (feature: string, body: RunBody) =>
  request<{ id: string }>(`/features/${name(feature)}/runs`, body)

export const getRunReport = (run: string) => request<FeatureRunReport>(`/feature-runs/${name(run)}/report`)

export const startShip = (body: ShipBody) => request<{ id: string }>('/ships', body)

export const getShip = (ship: string) => request<ShipReport>(`/ships/${name(ship)}/report`)
