/**
 * Compares the model with the simulation, and both with what was measured: `node bench/scale/check.ts`. Prints the table of
 * docs/scale.md and ends with 1 if one of them is off.
 */
import { readFileSync } from 'node:fs'
import { type Constants, type Fleet, parametersOf, predict } from './model.ts'
import { simulate } from './simulation.ts'

const constants = JSON.parse(readFileSync(new URL('constants.json', import.meta.url), 'utf8')) as Constants
const parameters = parametersOf(constants)
let failed = false

console.log(
  `parameters: ${JSON.stringify(parameters, (_, value) => (typeof value === 'number' ? round(value) : value))}`,
)
console.log('\nmeasured in one process, agents that take no time\n')
console.log('| at once | measured/s | simulated/s |\n|---|---|---|')
for (const { at_once, per_second } of constants.rounds) {
  const simulated = simulate({ workers: 1, projects: 1, capacity: at_once, thinkMs: 0 }, parameters, 60)
  console.log(`| ${at_once} | ${per_second} | ${round(simulated)} |`)
  hold(simulated / per_second, 0.6, 1.7, `${at_once} at once`)
}

const fleets: Fleet[] = [
  { workers: 1, projects: 1, capacity: 4, thinkMs: 10_000 },
  { workers: 10, projects: 1, capacity: 4, thinkMs: 10_000 },
  { workers: 10, projects: 1, capacity: 64, thinkMs: 10_000 },
  { workers: 10, projects: 10, capacity: 64, thinkMs: 10_000 },
  { workers: 100, projects: 1, capacity: 64, thinkMs: 10_000 },
  { workers: 1000, projects: 100, capacity: 16, thinkMs: 10_000 },
  { workers: 1000, projects: 1000, capacity: 64, thinkMs: 10_000 },
]
console.log('\nagents that think for ten seconds\n')
console.log('| workers | projects | places each | model, rounds/s | limit | simulated/s |\n|---|---|---|---|---|---|')
for (const fleet of fleets) {
  const { perSecond, limit } = predict(fleet, parameters)
  const simulated = simulate(fleet, parameters, fleet.workers * fleet.capacity > 10_000 ? 100 : 300)
  const { workers, projects, capacity } = fleet
  console.log(`| ${workers} | ${projects} | ${capacity} | ${round(perSecond)} | ${limit} | ${round(simulated)} |`)
  // Bounds are never exceeded; near the knee, where two of them are close, a queue takes its part.
  hold(simulated / perSecond, 0.6, 1.1, JSON.stringify(fleet))
}
process.exitCode = failed ? 1 : 0

function hold(ratio: number, least: number, most: number, label: string): void {
  if (ratio >= least && ratio <= most) return
  failed = true
  console.error(`off by ${ratio.toFixed(2)}: ${label}`)
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
