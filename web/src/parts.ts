/** The parts of the app that come with the first visit to them. */
export const parts = {
  rooms: () => import('./room/room-page.tsx'),
  plans: () => import('./plan/plan-floor.tsx'),
  builds: () => import('./build/build-floor.tsx'),
  features: () => import('./ship/ship-floor.tsx'),
  runs: () => import('./runs/runs-floor.tsx'),
}

/** Asks for the one that an address means, before the frame around it is there. */
export function fetchPart(path: string): void {
  const name = path.split('/')[1] || 'rooms'
  // Where it cannot be had, the frame asks again and says so.
  if (Object.hasOwn(parts, name)) parts[name as keyof typeof parts]().catch(() => {})
}
