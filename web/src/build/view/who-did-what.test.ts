import { expect, it } from 'vitest'
import type { AskView } from '../../../../src/build/view.ts'
import * as make from './build.fixture.ts'
import { whoDidWhat } from './who-did-what.ts'

const said = (strategy: 'graph' | 'solo', ...asks: [kind: string, agent: string][]) => {
  const view = make.viewOf([make.started(strategy), make.node(['root'])])
  view.nodes[0]!.asks = asks.map(([kind, agent]) => ({ kind, agent, exit: 'Some' }) as AskView)
  return whoDidWhat(view)
}

it('says who did what, from what was done: one agent may have had several roles', () => {
  expect(said('graph', ['scaffold', 'ada'], ['write-tests', 'bob'], ['implement', 'cyd'], ['review-impl', 'bob'])).toBe(
    'ada planned; bob wrote the tests and reviewed it; cyd wrote the code.',
  )
  expect(said('graph', ['scaffold', 'ada'], ['write-tests', 'ada'], ['implement', 'ada'], ['review-impl', 'ada'])).toBe(
    'ada planned, wrote the tests, wrote the code and reviewed it.',
  )
  expect(said('solo', ['implement', 'ada'], ['review-impl', 'bob'])).toBe('ada wrote tests and code; bob reviewed it.')
  expect(said('solo', ['implement', 'ada'], ['implement', 'bob'])).toBe('ada and bob wrote tests and code.')
})

it('says nothing before an agent has replied', () => {
  expect(whoDidWhat(make.viewOf([make.started(), make.node(['root']), make.asked(['root'], 'scaffold')]))).toBe('')
})
