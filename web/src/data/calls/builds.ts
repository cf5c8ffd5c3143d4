/** API calls about builds. */
import { type BodyOf, requestLine } from '../../../../src/serve/call.ts'
import { ApiError, call } from '../request.ts'

export const listBuilds = async () => (await call('GET /api/builds')).builds

/** As of `seq`. */
export const getBuild = (build: string) => call('GET /api/builds/:build', { params: { build } })

export const startBuild = (body: BodyOf<'POST /api/builds'>) => call('POST /api/builds', { body })

export const getDiff = (build: string, commit: string) =>
  call('GET /api/builds/:build/diffs/:commit', { params: { build, commit } })

/** A payload's bytes, all of them or a range. */
export async function readPayload(ref: string, range?: { start: number; end: number }): Promise<Uint8Array> {
  const { path } = requestLine('GET /api/payloads/:ref', { params: { ref }, query: { ...range } })
  const response = await fetch(path).catch(() => null)
  if (response?.ok) return new Uint8Array(await response.arrayBuffer())
  const message = response?.status === 404 ? 'No longer stored.' : 'Could not be loaded.'
  throw new ApiError(response?.status ?? 0, { code: 'unreadable', message })
}
