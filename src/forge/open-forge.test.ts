import { describe, expect, it } from 'vitest'
import { markerFor } from './forge.ts'
import { openForge } from './open-forge.ts'

describe('opening a forge', () => {
  const github = { repo: 'acme/shop', token_env: 'TRACKER_TOKEN' }

  it('[GH4] without a token GitHub is off, and there is a sentence that says so', async () => {
    for (const env of [{}, { TRACKER_TOKEN: '' }, { TRACKER_TOKEN: ' ' }, { GITHUB_TOKEN: 'other' }]) {
      const opened = await openForge({ github }, env)
      expect(opened).toEqual({ forge: null, reason: expect.stringContaining('TRACKER_TOKEN is not set') })
    }
    expect(await openForge({}, { GITHUB_TOKEN: 'x' })).toEqual({ forge: null, reason: null })
  })

  it('[GH4] with one it is on, and the forge shows the token to nobody', async () => {
    const opened = await openForge({ github }, { TRACKER_TOKEN: 'not-a-real-token-0123456789' })
    expect(opened).toMatchObject({ forge: { kind: 'github' }, repo: 'acme/shop' })
    expect(JSON.stringify(opened)).not.toContain('not-a-real-token')
  })
})

describe('marker', () => {
  it('[GH3] names feature and issue, and cannot be ended by a name', () => {
    expect(markerFor('shop', 12)).toBe('<!-- convene:shop#12 -->')
    expect(markerFor('a--> <b>\ud800', 1)).not.toContain('-->  <b>')
    expect(markerFor('a--> <b>\ud800', 1).indexOf('-->')).toBe(markerFor('a--> <b>\ud800', 1).length - 3)
    expect(markerFor('größe', 1)).toBe('<!-- convene:größe#1 -->')
  })
})
