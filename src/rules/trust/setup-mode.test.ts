import { describe, expect, it } from 'vitest'
import { needsInstallScripts, setupMode } from './setup-mode.ts'

describe('set-up of changed manifests', () => {
  it('[TR3] runs plainly for the base alone, and never with scripts that an agent changed', () => {
    const none = { dependencies: [], settings: [], scripts: [] }
    expect(setupMode(null)).toBe('plain')
    expect(setupMode({ ...none, dependencies: ['a 1'] })).toBe('careful')
    expect(setupMode({ ...none, scripts: ['package.json'] })).toBe('scriptless')
  })

  it('[TR3] repeats an installation with scripts only where the project needs them', () => {
    expect(needsInstallScripts({ manifest: '{"scripts":{"test":"t"}}', hasOtherLock: false })).toBe(false)
    expect(needsInstallScripts({ manifest: '{"scripts":{"prepare":"tsc"}}', hasOtherLock: false })).toBe(true)
    expect(needsInstallScripts({ lock: '{"a":{"hasInstallScript": true}}', hasOtherLock: false })).toBe(true)
    expect(needsInstallScripts({ hasOtherLock: true })).toBe(true)
  })
})
