import { describe, expect, it } from 'vitest'
import { requestLine } from './call.ts'

describe('requestLine', () => {
  it('fills in and encodes path parameters', () => {
    expect(requestLine('GET /api/plans/:plan/files/:file', { params: { plan: 'a b', file: 'x/y.md' } })).toEqual({
      method: 'GET',
      path: '/api/plans/a%20b/files/x%2Fy.md',
    })
  })

  it('leaves out query fields without a value, but not zero', () => {
    const query = { after: 0, run: undefined, text: '', room: 'a&b' }
    expect(requestLine('GET /api/events', { query }).path).toBe('/api/events?after=0&room=a%26b')
    expect(requestLine('GET /api/events', { query: { run: undefined } }).path).toBe('/api/events')
  })
})
