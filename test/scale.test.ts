/** The capacity model: its formulas beside its simulation, and docs/scale.md beside both. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { nodeFleets, nodeWork, roundFleets } from '../bench/scale/fleets.ts'
import { agrees, type Constants, nodeParametersOf, parametersOf, predict } from '../bench/scale/model.ts'
import { simulate } from '../bench/scale/simulation.ts'
import { scaleTables, withTables } from '../bench/scale/tables.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const constants = JSON.parse(read('bench/scale/constants.json')) as Constants

it('the simulation agrees with the formulas, with other constants too', () => {
  // Twice as slow a lock, and a processor that is the limit.
  const parameters = parametersOf(constants)
  for (const changed of [
    { ...parameters, lockMs: 2 * parameters.lockMs, writeMs: 2 * parameters.writeMs },
    { ...parameters, cpuMs: 200, lockMs: 0.1, writeMs: 0.1 },
  ])
    for (const fleet of roundFleets.slice(0, 5)) {
      const [predicted, simulated] = [predict(fleet, changed), simulate(fleet, changed)]
      expect([fleet, predicted, simulated, agrees(predicted, simulated)]).toEqual([fleet, predicted, simulated, true])
    }
  const node = nodeParametersOf(constants, nodeWork)
  expect(predict(nodeFleets[1]!, node).limit).toBe('processors')
})

it('docs/scale.md has the tables of the constants, and nothing in them disagrees', () => {
  const tables = scaleTables(constants)
  expect(tables.disagreements).toEqual([])
  expect(read('docs/scale.md')).toBe(withTables(read('docs/scale.md'), tables))
})
