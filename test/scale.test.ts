/** The capacity model: its formulas beside its simulation, and docs/scale.md beside both. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { agrees, type Constants, predict } from '../bench/scale/model.ts'
import { simulate } from '../bench/scale/simulation.ts'
import { scaleTables, withTables } from '../bench/scale/tables.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const constants = JSON.parse(read('bench/scale/constants.json')) as Constants

it('the simulation agrees with the formulas, for other constants too', () => {
  const parameters = [0.2, 10].flatMap((lockMs) =>
    [0.05, 5].flatMap((writeMs) => [2, 50].map((cpuMs) => ({ lockMs, writeMs, writes: 5, cpuMs, readMs: 1 }))),
  )
  const limits = new Set<string>()
  for (const each of parameters)
    for (const [workers, projects] of [
      [1, 1],
      [10, 1],
      [10, 5],
    ] as const)
      for (const capacity of [4, 64]) {
        const fleet = { workers, projects, capacity, thinkMs: 1000 }
        const [predicted, simulated] = [predict(fleet, each), simulate(fleet, each)]
        const shown = JSON.stringify({ ...fleet, ...each, ...predicted, simulated })
        expect([shown, agrees(predicted, simulated)]).toEqual([shown, true])
        limits.add(predicted.limit)
      }
  expect([...limits].sort()).toEqual(['lock', 'places', 'processors'])
})

it('docs/scale.md has the tables of the constants, and nothing in them disagrees', () => {
  const tables = scaleTables(constants)
  expect(tables.disagreements).toEqual([])
  expect(read('docs/scale.md')).toBe(withTables(read('docs/scale.md'), tables))
})
