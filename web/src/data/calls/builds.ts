/** API calls about builds. */
import type { BuildLine, BuildView } from '../../../../src/build/view.ts'
import type { BuildStrategy, Spec } from '../../../../src/rules/build/spec.ts'
import { ApiError, request } from '../request.ts'

export interface BuildBody {
  id: string
  spec: Spec
  strategy: BuildStrategy
  merge: boolean
}

export const listBuilds = async () => (await request<{ builds: BuildLine[] }>('/builds')).builds

/** As it was at `seq`. */
export const getBuild = (build: string) => request<BuildView & { seq: number }>(`/builds/${encodeURIComponent(build)}`)

export const startBuild = (body: BuildBody) => request<{ id: string }>('/builds', body)

export const getDiff = (build: string, commit: string) =>
  request<{ text: string; cut: boolean }>(`/builds/${encodeURIComponent(build)}/diffs/${encodeURIComponent(commit)}`)

/** A payload's bytes, all of them or a range. */
export async function readPayload(ref: string, range?: { start: number; end: number }): Promise<Uint8Array> {
  const part = range ? `?start=${range.start}&end=${range.end}` : ''
  const response = await fetch(`/api/payloads/${encodeURIComponent(ref)}${part}`).catch(() => null)
  if (response?.ok) return new Uint8Array(await response.arrayBuffer())
  const message = response?.status === 404 ? 'No longer stored.' : 'Could not be loaded.'
  throw new ApiError(response?.status ?? 0, { code: 'unreadable', message })
}
