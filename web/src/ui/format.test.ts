import { describe, expect, it } from 'vitest'
import { ago, clock, costWords, count, duration, money, plural, since, spending } from './format.ts'

describe('figures', () => {
  it('shows money with the places it needs', () => {
    expect([0, 0.00001, 0.0006, 0.011, 0.25, 3.456].map(money)).toEqual([
      '$0',
      '<$0.0001',
      '$0.0006',
      '$0.011',
      '$0.250',
      '$3.46',
    ])
  })

  it('names the cost where it is unknown, and shows tokens alone elsewhere', () => {
    expect([null, 0.25].map(costWords)).toEqual(['cost unknown', '$0.250'])
    expect([null, 0.25].map((usd) => spending({ usd, tokens: 16_800 }))).toEqual(['16.8k tokens', '$0.250'])
  })

  it('shows time from milliseconds to hours', () => {
    expect([0, 420, 1400, 65_000, 3_660_000].map(duration)).toEqual([
      '0 ms',
      '420 ms',
      '1.4 s',
      '1 min 5 s',
      '1 h 1 min',
    ])
  })

  it('shows counts', () => {
    expect([3, 999, 1234, 45_600, 456_000, 2_500_000].map(count)).toEqual([
      '3',
      '999',
      '1\u2009234',
      '45.6k',
      '456k',
      '2.5M',
    ])
    expect([plural(1, 'call'), plural(2, 'call')]).toEqual(['1 call', '2 calls'])
  })

  it('shows when, as short as it can be', () => {
    const now = new Date(2026, 2, 20, 15, 0)
    const at = (...date: [number, number, number, number, number]) => new Date(...date).toISOString()
    expect(ago(at(2026, 2, 20, 15, 0), now)).toBe('now')
    expect(ago(at(2026, 2, 20, 14, 20), now)).toBe('40 min')
    expect(ago(at(2026, 2, 20, 9, 0), now)).toBe('6 h')
    expect(ago(at(2026, 2, 18, 9, 0), now)).toBe('Wed')
    expect(ago(at(2025, 11, 2, 9, 0), now)).toBe('2 Dec 2025')
    expect(ago(at(2026, 0, 5, 9, 0), now)).toBe('5 Jan')
    expect(since(at(2026, 2, 20, 15, 0), now)).toBe('now')
    expect(since(at(2026, 2, 20, 14, 20), now)).toBe('40 min ago')
    expect(since(at(2026, 2, 18, 9, 0), now)).toBe('Wed')
    expect(clock(at(2026, 2, 20, 9, 5), now)).toBe('09:05')
    expect(clock(at(2026, 2, 18, 9, 5), now)).toBe('Wed, 09:05')
  })
})
