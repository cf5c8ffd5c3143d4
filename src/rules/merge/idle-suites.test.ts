import { describe, expect, it } from 'vitest'
import { type FinishedSuites, idleSuites } from './idle-suites.ts'

const suites = ['contract/a.test.js', 'test/b.test.js', 'contract/old.test.js']
const build: FinishedSuites = {
  suites,
  added: ['contract/a.test.js', 'test/b.test.js', 'src/a.js'],
  ran: [
    { name: 'a', file: 'test/a.test.js', outcome: 'passed' },
    { name: 'b', file: 'test/b.test.js', outcome: 'passed' },
  ],
  names: 'reported',
  hasCommand: false,
}

describe('contract suites after a build', () => {
  it('[MG5] are idle where the build adds them and the test command does not run them', () => {
    expect(idleSuites(build)).toEqual(['contract/a.test.js'])
  })

  it('[MG5] stay where the project has a command for them, or where it is not known what runs', () => {
    expect(idleSuites({ ...build, hasCommand: true })).toEqual([])
    expect(idleSuites({ ...build, names: 'unknown' })).toEqual([])
    expect(idleSuites({ ...build, ran: [] })).toEqual([])
    expect(idleSuites({ ...build, ran: [...build.ran, { name: 'c', outcome: 'passed' }] })).toEqual([])
  })
})
