/** How many processes of coding agents may exist at once. SPEC.md § AG4. */

/** Agents get half of the machine: the project's commands need the rest. */
const share = 0.5

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
