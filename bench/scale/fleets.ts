/** The fleets of docs/scale.md. */
import type { Fleet } from './model.ts'

/** A round with agents that think for ten seconds in all. */
export const roundFleets: Fleet[] = [
  { workers: 1, projects: 1, capacity: 4, thinkMs: 10_000 },
  { workers: 1, projects: 1, capacity: 64, thinkMs: 10_000 },
  { workers: 10, projects: 1, capacity: 16, thinkMs: 10_000 },
  { workers: 10, projects: 1, capacity: 64, thinkMs: 10_000 },
  { workers: 10, projects: 10, capacity: 64, thinkMs: 10_000 },
  { workers: 100, projects: 1, capacity: 64, thinkMs: 10_000 },
  { workers: 1000, projects: 100, capacity: 16, thinkMs: 10_000 },
  { workers: 1000, projects: 1000, capacity: 16, thinkMs: 10_000 },
]

/** A build of ten nodes: per node agents think for five minutes, and the project's commands take half a minute of a processor. */
export const buildNodes = 10
export const nodeWork = { commandMs: 30_000 }
export const nodeFleets: Fleet[] = [
  { workers: 1, projects: 1, capacity: 4, thinkMs: 300_000 },
  { workers: 1, projects: 1, capacity: 16, thinkMs: 300_000 },
  { workers: 10, projects: 1, capacity: 4, thinkMs: 300_000 },
  { workers: 1000, projects: 100, capacity: 4, thinkMs: 300_000 },
]
