/** The parts of the app that load on the first visit. */
export const parts = {
  rooms: () => import('./room/room-page.tsx'),
  plans: () => import('./plan/plan-floor.tsx'),
  builds: () => import('./build/build-floor.tsx'),
  features: () => import('./ship/ship-floor.tsx'),
  runs: () => import('./runs/runs-floor.tsx'),
  team: () => import('./team/team-floor.tsx'),
}

/** Starts loading the part an address needs, before the app shell is ready. */
export function fetchPart(path: string): void {
  const name = path.split('/')[1] || 'rooms'
  // The app shell tries again and reports the failure.
  if (Object.hasOwn(parts, name)) parts[name as keyof typeof parts]().catch(() => {})
}
