import { describe, expect, it } from 'vitest'
import { shipSettingsOf } from './ship-settings.ts'

const config = (github?: { repo: string; api_url?: string }, enabled = true) =>
  ({
    budget: { calls: 10 },
    ship: { max_unreviewed: 2, retries: 3, stale_minutes: 30 },
    coordination: { github_sync_enabled: enabled },
    forge: github ? { github } : {},
  }) as never

describe('what the ship floor goes by', () => {
  it('counts the first try and its retries', () => {
    expect(shipSettingsOf(config(), null)).toMatchObject({ attempts: 4, max_unreviewed: 2, budget: { calls: 10 } })
  })

  it('[GH4] says why nothing is told to GitHub', () => {
    expect(shipSettingsOf(config(), null).forge.off).toContain('forge.github.repo')
    expect(shipSettingsOf(config({ repo: 'a/b' }, false), null).forge.off).toContain('github_sync_enabled')
    expect(shipSettingsOf(config({ repo: 'a/b' }), 'no token').forge.off).toBe('no token')
    expect(shipSettingsOf(config({ repo: 'a/b' }), null).forge.off).toBeNull()
  })

  it('knows where an issue is seen, on github.com, on an Enterprise server, and nowhere', () => {
    const address = (api_url?: string) =>
      shipSettingsOf(config({ repo: 'a/b', ...(api_url ? { api_url } : {}) }), null).forge.issues_url
    expect(address()).toBe('https://github.com/a/b/issues/')
    expect(address('https://git.example/api/v3')).toBe('https://git.example/a/b/issues/')
    expect(address('http://127.0.0.1:4000')).toBeNull()
  })
})
