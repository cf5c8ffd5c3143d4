/**
 * The one table of the HTTP API: every route with its schemas. The server's validation, the OpenAPI document,
 * docs/http.md and the types of both clients derive from it. Browser-safe.
 */
import { buildRoutes } from './api/builds.ts'
import { comparisonRoutes } from './api/comparisons.ts'
import { featureRoutes } from './api/features.ts'
import { logRoutes } from './api/log.ts'
import { planRoutes } from './api/plans.ts'
import { projectRoutes } from './api/project.ts'
import { questionRoutes } from './api/questions.ts'
import { roomRoutes } from './api/rooms.ts'
import type { Routes } from './api/route.ts'
import { runRoutes } from './api/runs.ts'
import { settingsRoutes } from './api/settings.ts'
import { shipRoutes } from './api/ships.ts'
import { teamRoutes } from './api/team.ts'

export const api = {
  ...projectRoutes,
  ...settingsRoutes,
  ...teamRoutes,
  ...roomRoutes,
  ...planRoutes,
  ...buildRoutes,
  ...comparisonRoutes,
  ...shipRoutes,
  ...featureRoutes,
  ...questionRoutes,
  ...runRoutes,
  ...logRoutes,
}

export type Api = typeof api

/** In the order in which the documentation shows them. */
export const apiGroups: Readonly<Record<string, Routes>> = {
  'Server and project': projectRoutes,
  Settings: settingsRoutes,
  Users: teamRoutes,
  Rooms: roomRoutes,
  Plans: planRoutes,
  Builds: buildRoutes,
  Comparisons: comparisonRoutes,
  Ships: shipRoutes,
  'Features and issues': featureRoutes,
  Questions: questionRoutes,
  Runs: runRoutes,
  'Log and rules': logRoutes,
}
