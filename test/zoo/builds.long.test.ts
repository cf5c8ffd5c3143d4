/** Correct work is accepted at the first attempt in every project of the zoo. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildProject, expectExit, type Line, ofType } from '../build/project.ts'
import { installManifest } from '../support/installed-packages.ts'
import { missing } from './keep.ts'
import { below, nodeTest, others, playwright, pytest, type Species, unittest } from './species.ts'

const installed = await installManifest('zoo', join(import.meta.dirname, 'runners.json'))
const modules = 'modules' in installed ? installed.modules : undefined
if (!modules) console.warn('skipped: builds in the zoo: its runners are not installed')

const browser = process.env.CONVENE_BROWSER
if (!browser) console.warn('skipped: Playwright Test in the zoo: CONVENE_BROWSER names no browser')

const python = missing('python3', '-c', 'import pytest, unittest')
if (python) console.warn(`skipped: Python in the zoo: ${python}`)

/** Each role leaves its part: a stub, then the tests, then the code. */
function graphLines({ added, source, planned = 'subtracts' }: Species): Line[] {
  const plan = [{ criterionId: 'AC1', plannedTestName: planned, approach: 'call it' }]
  return [
    {
      when: { ask: 'scaffold' },
      files: { [source.file]: source.stub },
      reply: { InitWork: { interfaceFile: source.file, testPlan: plan } },
    },
    { when: { ask: 'write-tests' }, files: added, reply: { TestsReady: { testFiles: Object.keys(added) } } },
    { when: { ask: 'implement' }, files: { [source.file]: source.done }, reply: { TestsPassed: {} } },
  ]
}

async function expectAccepted(species: Species, strategy: 'solo' | 'graph' = 'solo'): Promise<void> {
  const { files, added, source, packages = [] } = species
  const [testPath = ''] = Object.keys(added)
  const spec = {
    id: 'subtract',
    description: 'Subtract numbers',
    acceptanceCriteria: [{ id: 'AC1', text: 'subtract(3, 1) is 2' }],
    targetPath: source.file,
    testPath,
  }
  const work = { ...added, [source.file]: source.done }
  const path = modules && !species.command.startsWith('cd ') ? `PATH=${join(modules, '.bin')}:$PATH ` : ''
  const project = buildProject({
    spec,
    lines:
      strategy === 'graph'
        ? graphLines(species)
        : [{ when: { ask: 'implement' }, files: work, reply: { TestsPassed: {} } }],
    files: { ...files, [source.file]: source.without, '.gitignore': 'node_modules\n__pycache__\n' },
    build: { test: path + species.command, share: ['node_modules'], sandbox: 'off' },
  })
  mkdirSync(join(project.folder, 'node_modules'), { recursive: true })
  for (const name of modules && packages.length > 0 ? [...packages, '.bin'] : []) {
    const link = join(project.folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(modules!, name), link)
  }
  const built = await project.build('--strategy', strategy)
  expect(ofType(await project.events(), 'reply.refused').map(({ problems }) => problems)).toEqual([])
  expectExit(built, 0)
}

describe.skipIf(!modules)('work that is right', () => {
  it.each([nodeTest, below, ...others])('[VF4] is accepted at once: $name', { timeout: 300_000 }, (species) =>
    expectAccepted(species),
  )

  it.skipIf(!browser)('[VF4] is accepted at once: Playwright Test', { timeout: 300_000 }, () =>
    expectAccepted(playwright(browser!)),
  )

  it.each(others.filter(({ name }) => /^(?:vitest|jest) /.test(name)))(
    '[VF2] [VF4] is accepted at once by the graph: $name',
    { timeout: 300_000 },
    (species) => expectAccepted(species, 'graph'),
  )
})

describe.skipIf(python)('work that is right, in Python', () => {
  it.each([pytest, unittest])('[VF4] is accepted at once: $name', { timeout: 300_000 }, (species) =>
    expectAccepted(species),
  )

  it('[VF2] [VF4] is accepted at once by the graph', { timeout: 300_000 }, () => expectAccepted(pytest, 'graph'))
})
