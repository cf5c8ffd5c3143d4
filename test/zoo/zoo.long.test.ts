/** Every runner and package manager that Convene reads, on projects as people have them. */
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { installManifest } from '../support/installed-packages.ts'
import { checkSpecies, missing } from './keep.ts'
import { below, cargo, go, others, playwright, pytest, unittest } from './species.ts'

const installed = await installManifest('zoo', join(import.meta.dirname, 'runners.json'))
const reason = 'missing' in installed ? installed.missing : undefined
if (reason) console.warn(`skipped: the zoo: ${reason}`)

describe.skipIf(reason !== undefined)(reason ? `the zoo (${reason})` : 'the zoo', () => {
  it.each(others)(
    '[VF9] $name: names, counts, red and green are read from its report',
    { timeout: 300_000 },
    async (species) => {
      await checkSpecies(species, 'modules' in installed ? installed.modules : undefined)
    },
  )
})

const browser = process.env.CONVENE_BROWSER
const noBrowser =
  reason ??
  (browser ? undefined : process.env.CONVENE_NO_BROWSER || 'CONVENE_BROWSER names no browser; `npm test` finds one')
if (noBrowser) console.warn(`skipped: Playwright Test in the zoo: ${noBrowser}`)

it.skipIf(noBrowser)(
  '[VF9] Playwright Test: names, counts, red and green are read from its report',
  { timeout: 300_000 },
  async () => {
    await checkSpecies(playwright(browser!), 'modules' in installed ? installed.modules : undefined)
  },
)

describe('without a registry', () => {
  const species = [
    { ...below, lack: undefined },
    { ...go, lack: missing('go', 'version') },
    { ...pytest, lack: missing('python3', '-c', 'import pytest') },
    { ...unittest, lack: missing('python3', '-c', 'import unittest') },
    { ...cargo, lack: missing('cargo', '--version') },
  ]
  for (const { lack, ...one } of species) {
    if (lack) console.warn(`skipped: ${one.name}: ${lack}`)
    it.skipIf(lack)(
      `[VF9] ${one.name}: names, counts, red and green are read from its report`,
      { timeout: 300_000 },
      () => checkSpecies(one),
    )
  }
})
