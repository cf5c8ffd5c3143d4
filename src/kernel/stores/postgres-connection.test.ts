import { expect, it } from 'vitest'
import { isConnectionLoss } from './postgres-connection.ts'

it('[TR10] takes a broken pipe for a lost connection, and a state of the server only where it means one', () => {
  const failed = (code: string) => Object.assign(new Error('failed'), { code })
  const lost = ['EPIPE', 'ECONNRESET', '08006', '57P01', '25P03']
  expect(lost.filter((code) => !isConnectionLoss(failed(code)))).toEqual([])
  const others = ['23505', '42601', '22012', '25P02']
  expect(others.filter((code) => isConnectionLoss(failed(code)))).toEqual([])
})
