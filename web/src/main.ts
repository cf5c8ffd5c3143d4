/** The entry of the web app: small, so that the server is asked while the browser still reads the rest. */
import './look/look.css'
import './look/fonts.ts'
import { askEarly } from './api/early-answers.ts'
import { roomEndPath } from './api/room-end-path.ts'
import { fetchPart } from './parts.ts'
import { runEndPath, runOverviewPath } from './runs/run-paths.ts'

askEarly('/agents')
askEarly('/rooms')
const room = /^\/rooms\/([\w-]+)/.exec(location.pathname)?.[1]
if (room !== undefined) askEarly(roomEndPath(room))
const run = /^\/runs\/((?:[\w.-]|%2F)+)$/.exec(location.pathname)?.[1]
if (run !== undefined) for (const path of [runOverviewPath, runEndPath]) askEarly(path(decodeURIComponent(run)))
void import('./start.tsx')
fetchPart(location.pathname)
