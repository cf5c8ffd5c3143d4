/** API calls about shipping and about the sample project. */
import type { ShipView } from '../../../../src/ship/ship/ship-view.ts'
import { request } from '../request.ts'

export interface Project {
  name: string
  /** How this Convene is called in a shell. */
  command: string
  sample: Sample | null
}

export interface Sample {
  goal: string
  mode: string
  answers: { match: string; answer: string }[]
  /** Something was merged since it began. */
  played: boolean
}

export interface ShipBody {
  /** The same id is the same ship, however often it is sent. */
  id: string
  goal: string
  room?: string
  mode?: string
  merge?: boolean
  answers?: Sample['answers']
}

export const getProject = () => request<Project>('/project')

export const resetSample = () => request<Project>('/sample/reset', {})

export const startShip = (body: ShipBody) => request<{ id: string }>('/ships', body)

export const listShips = async () => (await request<{ ships: { id: string; status: string }[] }>('/ships')).ships

export const getShip = (run: string) =>
  request<{ progress: ShipView; seq: number }>(`/ships/${encodeURIComponent(run)}`)
