/** Finds faults in the dependency graph of a list of issues: repeated numbers, unknown ones, cycles. SPEC.md § IS. */

export interface Dependant {
  number: number
  depends_on: readonly number[]
}

export interface GraphFaults {
  errors: string[]
  /** Issues that cannot start because of a fault. */
  faulty: ReadonlySet<number>
  /** Numbers listed more than once, whose state is therefore unknown. */
  repeated: ReadonlySet<number>
}

/** [IS2] Every fault; the order of the list does not matter. */
export function graphFaults(issues: readonly Dependant[]): GraphFaults {
  const edges = dependencyEdges(issues)
  const counts = new Map<number, number>()
  for (const { number } of issues) counts.set(number, (counts.get(number) ?? 0) + 1)

  const errors: string[] = []
  const faulty = new Set<number>()
  const repeated = new Set<number>()
  for (const number of edges.keys()) {
    const count = counts.get(number) ?? 0
    if (count < 2) continue
    errors.push(`duplicate number: #${number} is listed ${count} times`)
    faulty.add(number)
    repeated.add(number)
  }
  for (const [number, dependencies] of edges) {
    for (const dependency of dependencies) {
      if (edges.has(dependency)) continue
      errors.push(`#${number} depends on #${dependency}, which does not exist`)
      faulty.add(number)
    }
  }
  for (const members of cycles(edges)) {
    errors.push(cycleError(members, edges))
    for (const member of members) faulty.add(member)
  }
  return { errors, faulty, repeated }
}

type Edges = ReadonlyMap<number, readonly number[]>

/** Numbers and their dependencies, ascending and unique; the lists of a repeated number are merged. */
export function dependencyEdges(issues: readonly Dependant[]): Edges {
  const joined = new Map<number, Set<number>>()
  for (const { number, depends_on } of issues) {
    const dependencies = joined.get(number) ?? new Set<number>()
    for (const dependency of depends_on) dependencies.add(dependency)
    joined.set(number, dependencies)
  }
  const ascending = [...joined].sort(([a], [b]) => a - b)
  return new Map(ascending.map(([number, dependencies]) => [number, [...dependencies].sort((a, b) => a - b)]))
}

/** Groups that depend on each other, members ascending. Tarjan without recursion: a chain of 100,000 must not overflow. */
function cycles(edges: Edges): number[][] {
  const order = new Map<number, number>()
  const low = new Map<number, number>()
  const open: number[] = []
  const isOpen = new Set<number>()
  const found: number[][] = []

  for (const start of edges.keys()) {
    if (order.has(start)) continue
    const path = [enter(start)]
    while (path.length > 0) {
      const frame = path.at(-1)!
      const dependency = frame.dependencies[frame.next++]
      if (dependency === undefined) {
        path.pop()
        leave(frame.number, path.at(-1)?.number)
      } else if (!edges.has(dependency)) {
        // an unknown number is an error of its own
      } else if (!order.has(dependency)) path.push(enter(dependency))
      else if (isOpen.has(dependency)) lower(frame.number, order.get(dependency)!)
    }
  }
  return found.map((members) => members.sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!)

  function enter(number: number) {
    order.set(number, order.size)
    low.set(number, order.get(number)!)
    open.push(number)
    isOpen.add(number)
    return { number, dependencies: edges.get(number)!, next: 0 }
  }

  function lower(number: number, value: number) {
    low.set(number, Math.min(low.get(number)!, value))
  }

  function leave(number: number, parent: number | undefined) {
    if (parent !== undefined) lower(parent, low.get(number)!)
    if (low.get(number) !== order.get(number)) return
    const members = open.splice(open.lastIndexOf(number))
    for (const member of members) isOpen.delete(member)
    if (members.length > 1 || edges.get(number)!.includes(number)) found.push(members)
  }
}

function cycleError(members: readonly number[], edges: Edges): string {
  const path = shortestCycle(members, edges)
  const onPath = new Set(path)
  const rest = members.filter((member) => !onPath.has(member))
  const also = rest.length > 0 ? `, together with ${rest.map((member) => `#${member}`).join(', ')}` : ''
  const itself = path.length === 1 ? ' (it depends on itself)' : ''
  return `dependency cycle: ${[...path, path[0]!].map((member) => `#${member}`).join(' → ')}${itself}${also}`
}

/** The shortest path from the lowest member back to itself. */
function shortestCycle(members: readonly number[], edges: Edges): number[] {
  const first = members[0]!
  const inside = new Set(members)
  const cameFrom = new Map<number, number>()
  const queue = [first]
  for (const number of queue) {
    for (const dependency of edges.get(number)!) {
      if (dependency === first) return walkBack(number)
      if (!inside.has(dependency) || cameFrom.has(dependency)) continue
      cameFrom.set(dependency, number)
      queue.push(dependency)
    }
  }
  return [...members]

  function walkBack(last: number): number[] {
    const path = [last]
    while (path.at(-1) !== first) path.push(cameFrom.get(path.at(-1)!)!)
    return path.reverse()
  }
}
