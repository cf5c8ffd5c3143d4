/** The ship floor: features, their issues, and how far they are. */
export function ShipFloor() {
  return null
}
