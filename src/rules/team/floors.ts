/** TM2: which work a worker takes, by the floor that it belongs to. */

export const floors = ['room', 'plan', 'build', 'ship'] as const
export type Floor = (typeof floors)[number]

/** The floor of a workflow, by its name: `room.answer` is of the room. What is of no other floor is of ship. */
export function floorOf(workflow: string): Floor {
  const first = workflow.split('.')[0]
  return floors.find((floor) => floor === first) ?? 'ship'
}
