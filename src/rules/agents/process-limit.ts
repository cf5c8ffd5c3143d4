/** How many processes of coding agents may exist at once. SPEC.md § AG4. */

/** Agents get half of the machine: the project's commands need the rest. */
const share = 0.5

/** How many asks of a build run at once: as many as wanted, but no more coding agents than the memory holds. */
export function agentsAtOnce({
  wanted,
  machineMb,
  agentMb,
}: {
  wanted: number
  machineMb: number
  /** What the largest coding agent of the project uses; null if it has none. */
  agentMb: number | null
}): number {
  if (agentMb === null) return wanted
  return Math.max(1, Math.min(wanted, Math.floor((machineMb * share) / agentMb)))
}

export interface ProcessDemand {
  /** What running and idle processes use, in MB. */
  usedMb: number
  neededMb: number
  machineMb: number
}

/** One process may always run, however small the machine is. */
export function hasRoom({ usedMb, neededMb, machineMb }: ProcessDemand): boolean {
  return usedMb === 0 || usedMb + neededMb <= machineMb * share
}
