/** The entry of the web app: small, so that API requests start while the browser still loads the rest. */
import './ui/look.css'
import './ui/fonts.ts'
import { roomEnd, runEnd } from './data/calls/log-ends.ts'
import { prefetch } from './data/prefetch.ts'
import { fetchPart } from './parts.ts'

prefetch('GET /api/agents')
prefetch('GET /api/rooms')
const room = /^\/rooms\/([\w-]+)/.exec(location.pathname)?.[1]
if (room !== undefined) prefetch('GET /api/events', { query: roomEnd(room) })
const run = /^\/runs\/((?:[\w.-]|%2F)+)$/.exec(location.pathname)?.[1]
if (run !== undefined) {
  const id = decodeURIComponent(run)
  prefetch('GET /api/runs/:run/overview', { params: { run: id } })
  prefetch('GET /api/events', { query: runEnd(id) })
}
void import('./start.tsx')
fetchPart(location.pathname)
