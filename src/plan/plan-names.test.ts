import fc from 'fast-check'
import { expect, it } from 'vitest'
import { otherName, planNames } from './plan-names.ts'

const run = 'plan-1b1d5c0e-0000-4000-8000-00000012ab34'

it.each([
  ['Let people export orders as CSV', 'export-orders-csv'],
  ['Let people export orders of other tenants as PDF by mail', 'export-orders-other-tenants'],
  ['Export orders as a CSV file that opens cleanly in any spreadsheet', 'export-orders-csv-file'],
  ['Fix the empty last line in src/read.js', 'fix-empty-last-line'],
  ['Add a timeout option to pMap', 'add-timeout-option-pmap'],
  ['Give people a function that doubles and one that doubles twice', 'function-doubles-twice'],
  ['Users should be able to reset their password when it expired', 'able-reset-password'],
  ['Größe der Bestellungen anzeigen', 'grosse-bestellungen-anzeigen'],
  ['Behebe den Absturz bei leerer Eingabe', 'behebe-absturz-leerer-eingabe'],
  ['Let add in src/add.js add one to its value', 'add-value'],
  ['Make it so', 'make'],
])('[PH6] a feature is called by the few words that say what it is about: %s', (goal, feature) => {
  expect(planNames(goal, run)).toEqual({ feature, plan: `${feature}-12ab34` })
})

it('[PH6] a goal without plain letters is called by a piece of its run', () => {
  for (const goal of ['Добавить экспорт', '导出订单', '🎉', '-', '?!'])
    expect(planNames(goal, run).feature).toBe('plan-12ab34')
})

it('[PH6] a name that is taken is counted', () => {
  expect(otherName('sort-orders', 2)).toBe('sort-orders-v2')
})

it('[PH6] whatever the goal, the names can name a folder and a branch', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (goal) => {
      const { plan, feature } = planNames(goal, run)
      for (const name of [plan, feature]) expect(name).toMatch(/^[a-z0-9](-?[a-z0-9]){0,70}$/)
    }),
  )
})
