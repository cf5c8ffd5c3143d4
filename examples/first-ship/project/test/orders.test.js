import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordersOf, orderTotal } from '../src/orders.js'

const orders = [
  { number: 1, date: '2026-05-04', customer: 'Ada', lines: [{ cents: 1250, count: 2 }] },
  { number: 2, date: '2026-05-06', customer: 'Bob', lines: [] },
]

test('an order comes to the sum of its lines', () => assert.equal(orderTotal(orders[0]), 2500))
test('an order without lines comes to nothing', () => assert.equal(orderTotal(orders[1]), 0))
test('orders are found by their customer', () => assert.deepEqual(ordersOf(orders, 'Bob'), [orders[1]]))
