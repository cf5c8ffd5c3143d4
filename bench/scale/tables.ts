/** The figures of docs/scale.md, from the measured constants, the model and the simulation. */
import { buildNodes, nodeFleets, nodeWork, roundFleets } from './fleets.ts'
import {
  agrees,
  type Constants,
  type Fleet,
  needsOf,
  nodeParametersOf,
  type Parameters,
  parametersOf,
  predict,
} from './model.ts'
import { simulate } from './simulation.ts'

export interface Tables {
  /** Markdown by the name of its place in docs/scale.md. */
  texts: Record<string, string>
  /** What the simulation and the model, or the simulation and the measurement, disagree about. */
  disagreements: string[]
}

export function scaleTables(constants: Constants): Tables {
  const disagreements: string[] = []
  return {
    texts: {
      constants: constantsTable(constants),
      measured: measuredTable(constants, disagreements),
      rounds: fleetTable(constants, disagreements),
      builds: buildTable(constants, disagreements),
      needs: needsTable(constants),
      rooms: roomsTable(constants),
    },
    disagreements,
  }
}

function constantsTable(constants: Constants): string {
  const { rounds, build, idle, connections, read_ms, machine, measured } = constants
  const { lockMs, writeMs } = parametersOf(constants)
  const alone = rounds[0]!
  const rows: [string, string, string][] = [
    ['processor time of a worker', `${figure(alone.worker_cpu_ms)} ms`, `${figure(build.worker_cpu_ms)} ms`],
    ['writes, one after the other', figure(alone.writes), figure(build.writes)],
    ['reads', figure(alone.reads), figure(build.reads)],
    ['rows inserted', figure(alone.rows_inserted), figure(build.rows_inserted)],
    ['write-ahead log', `${figure(alone.wal_kb)} kB`, `${figure(build.wal_kb)} kB`],
    ['disk, indexes included', `${figure(alone.table_kb)} kB`, `${figure(build.table_kb)} kB`],
  ]
  return [
    `Measured on ${measured}: ${machine}, Postgres 18 on the same machine with \`fsync\` on.`,
    '',
    table(['each', 'round', 'node of a build'], rows),
    '',
    `A transaction holds its project's lock for ${lockMs > 0 ? `${figure(lockMs)} ms, and ` : ''}${figure(writeMs)} ms per write; a read takes ${figure(read_ms)} ms. A process that does nothing makes ${figure(idle.transactions_per_second)} transactions a second, and a busy one has ${connections} connections.`,
  ].join('\n')
}

function measuredTable(constants: Constants, disagreements: string[]): string {
  const parameters = parametersOf(constants)
  const rows = constants.rounds.map(({ at_once, per_second }) => {
    const simulated = simulate({ workers: 1, projects: 1, capacity: at_once, thinkMs: 0 }, parameters)
    const ratio = simulated / per_second
    if (ratio < 0.6 || ratio > 1.7) disagreements.push(`${at_once} rounds at once: ${figure(ratio)} of the measurement`)
    return [String(at_once), figure(per_second), figure(simulated)]
  })
  return table(['rounds at once', 'measured/s', 'simulated/s'], rows)
}

function fleetTable(constants: Constants, disagreements: string[]): string {
  const rows = roundFleets.map((fleet) => compared(fleet, parametersOf(constants), disagreements, figure))
  return table(['workers', 'projects', 'places each', 'rounds/s', 'limit', 'simulated/s'], rows)
}

function buildTable(constants: Constants, disagreements: string[]): string {
  const perHour = (nodes: number) => figure((nodes * 3600) / buildNodes)
  const rows = nodeFleets.map((fleet) => compared(fleet, nodeParametersOf(constants, nodeWork), disagreements, perHour))
  return table(['workers', 'projects', 'places each', 'builds/h', 'limit', 'simulated/h'], rows)
}

function compared(
  fleet: Fleet,
  parameters: Parameters,
  disagreements: string[],
  shown: (perSecond: number) => string,
): string[] {
  const { workers, projects, capacity } = fleet
  const predicted = predict(fleet, parameters)
  const simulated = simulate(fleet, parameters)
  if (!agrees(predicted, simulated))
    disagreements.push(`${JSON.stringify(fleet)}: ${figure(simulated / predicted.perSecond)} of the model`)
  const { perSecond, limit } = predicted
  return [figure(workers), figure(projects), figure(capacity), shown(perSecond), limit, shown(simulated)]
}

/** Workers as in the table of rounds with 16 places, a server for every ten of them. */
function needsTable(constants: Constants): string {
  const rows = [
    { workers: 1, projects: 1 },
    { workers: 10, projects: 1 },
    { workers: 1000, projects: 100 },
  ].map(({ workers, projects }) => {
    const { perSecond } = predict({ workers, projects, capacity: 16, thinkMs: 10_000 }, parametersOf(constants))
    const processes = workers + Math.ceil(workers / 10)
    const needs = needsOf(constants, { processes, perSecond })
    return [
      `${figure(workers)} + ${figure(processes - workers)}`,
      figure(perSecond),
      figure(needs.rowsPerSecond),
      needs.commitsPerSecond.map(figure).join('–'),
      figure(needs.readsPerSecond),
      `${figure(needs.walMbPerSecond)} MB/s`,
      `${figure(needs.gbPerDay)} GB`,
      figure(needs.connections),
    ]
  })
  return table(
    ['workers + servers', 'rounds/s', 'rows/s', 'commits/s', 'reads/s', 'log', 'disk a day', 'connections'],
    rows,
  )
}

function roomsTable({ opening }: Constants): string {
  const rows = [opening.rooms, 100_000, 1_000_000].map((rooms) => [
    figure(rooms),
    `${figure(((opening.ms / 1000) * rooms) / opening.rooms)} s`,
    `${figure((opening.heap_mb * rooms) / opening.rooms)} MB`,
  ])
  return table(['rooms in one project', 'a process opens in', 'and holds'], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Three digits, and a comma for thousands. */
function figure(value: number): string {
  const short = Number(value.toPrecision(3))
  return short >= 1000 ? String(Math.round(short)).replace(/\B(?=(\d{3})+$)/g, ',') : String(short)
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
export function withTables(page: string, { texts }: Tables): string {
  return Object.entries(texts).reduce((text, [name, content]) => {
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`)
    if (!place.test(text)) throw new Error(`docs/scale.md has no place for '${name}'`)
    return text.replace(place, (_, before: string, after: string) => `${before}\n${content}\n\n${after}`)
  }, page)
}
