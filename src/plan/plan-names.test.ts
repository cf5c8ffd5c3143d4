import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planNames } from './plan-names.ts'

const run = 'plan-1b1d5c0e-0000-4000-8000-00000012ab34'

it('[PH6] a feature is called by the whole words of its goal', () => {
  expect(planNames('Let people export orders as CSV', run)).toEqual({
    plan: 'let-people-export-orders-csv-12ab34',
    feature: 'let-people-export-orders-csv',
  })
  expect(planNames('Let people export orders of other tenants as PDF by mail', run).feature).toBe(
    'let-people-export-orders-other-tenants-pdf-mail',
  )
})

it('[PH6] where words are left out, or cannot be written in plain letters, a piece of the run tells it apart', () => {
  const cut = planNames(`Let people export orders ${'and more things '.repeat(20)}`, run).feature
  expect(cut).toMatch(/^let-people-export-orders-more-things-more-things-12ab34$/)
  for (const goal of ['Добавить экспорт', '导出订单', '🎉', '-', '?!'])
    expect(planNames(goal, run).feature).toBe('plan-12ab34')
  expect(planNames('Größe der orders', run).feature).toBe('groe-der-orders-12ab34')
})

it('[PH6] whatever the goal, the names can name a folder and a branch', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (goal) => {
      const { plan, feature } = planNames(goal, run)
      for (const name of [plan, feature]) expect(name).toMatch(/^[a-z0-9](-?[a-z0-9]){0,70}$/)
    }),
  )
})
