/** Every runner and package manager that Convene reads, on projects as people have them. */
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { installManifest } from '../support/installed-packages.ts'
import { checkSpecies, missing } from './keep.ts'
import { cargo, others, pytest, unittest } from './species.ts'

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

describe('without a registry', () => {
  const species = [
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
