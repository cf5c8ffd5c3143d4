/** The entry of the web app: small, so that API requests start while the browser still loads the rest. */
import './ui/look.css'
import './ui/fonts.ts'
import { roomEndPath } from './data/calls/room-end.ts'
import { runEndPath, runOverviewPath } from './data/calls/run-paths.ts'
import { prefetch } from './data/prefetch.ts'
import { fetchPart } from './parts.ts'

prefetch('/agents')
prefetch('/rooms')
const room = /^\/rooms\/([\w-]+)/.exec(location.pathname)?.[1]
if (room !== undefined) prefetch(roomEndPath(room))
const run = /^\/runs\/((?:[\w.-]|%2F)+)$/.exec(location.pathname)?.[1]
if (run !== undefined) for (const path of [runOverviewPath, runEndPath]) prefetch(path(decodeURIComponent(run)))
void import('./start.tsx')
fetchPart(location.pathname)
