/** TM2: which agents a run asks, so that a worker takes only work that its own agents can do. */
import { floorOf } from './floors.ts'

/** What a run's agents depend on besides its input. */
export interface AgentsOfProject {
  /** Every agent that may be asked for its view. */
  members: readonly string[]
  /** Those that have a role in a build. */
  builders: readonly string[]
  /** The agents of a room; undefined if there is no such room. */
  inRoom(room: string): readonly string[] | undefined
}

/** By the workflow's name alone, where there is no input yet, nothing is known: no agent is needed. */
export function neededAgents(workflow: string, input: unknown, project: AgentsOfProject): readonly string[] {
  if (input === undefined) return []
  if (floorOf(workflow) === 'build') return project.builders
  if (floorOf(workflow) !== 'room') return project.members
  const { target, participants, message, room } = input as {
    target?: string
    participants?: string[]
    message?: { to?: string }
    room?: string
  }
  const named = participants ?? [target ?? message?.to ?? []].flat()
  if (named.length > 0) return named
  return (room === undefined ? undefined : project.inRoom(room)) ?? project.members
}

/** Whether all that are needed are on offer. */
export function hasAgentsFor(needed: readonly string[], offered: readonly string[]): boolean {
  return needed.every((agent) => offered.includes(agent))
}
