/** Every durable run, and one of them taken apart. */
export function RunsFloor() {
  return null
}
