import { describe, expect, it } from 'vitest'
import { mockedTarget } from './mocked-target.ts'

const test = (text: string, path = 'test/inc.test.js') => ({ path, text })
const honest = test(
  "import { inc } from '../src/inc.js'\ntest('inc', () => expect(inc(1)).toBe(2))\n",
  'test/more.test.js',
)

describe('tests of a mock', () => {
  it.each([
    "vi.mock('../src/inc.js', () => ({ inc: () => 2 }))",
    "jest.mock('../src/inc')",
    "await jest.unstable_mockModule('../src/inc.js', () => ({ inc: () => 2 }))",
    'mock.module("../src/inc.js", { namedExports: { inc: () => 2 } })',
  ])('[VF2] are found: %s', (text) => {
    expect(mockedTarget([test(text)], 'src/inc.ts')).toEqual(['test/inc.test.js'])
  })

  it.each([
    "vi.mock('../src/other.js', () => ({ other: () => 2 }))",
    "vi.mock('node:fs')",
    "vi.mock('../src/inc.js', async (importOriginal) => ({ ...(await importOriginal()), now: () => 0 }))",
    "vi.mock('../src/inc.js', async (original) => ({ ...(await original()), now: () => 1 }))",
    "mock.module('../src/inc.js', { namedExports: { ...real, now: () => 1 } })",
    "// jest.mock('../src/inc')",
  ])('[VF2] are told from tests with a mock of something else: %s', (text) => {
    expect(mockedTarget([test(text)], 'src/inc.ts')).toEqual([])
  })

  it('[VF2] are accepted beside a test of the real code', () => {
    expect(mockedTarget([test("jest.mock('../src/inc')"), honest], 'src/inc.js')).toEqual([])
    expect(mockedTarget([], 'src/inc.js')).toEqual([])
    const text = test('plain text of a fixture (it stays)', 'test/fixtures/a.txt')
    const data = test('export const rows = [1, 2]', 'test/fixtures/rows.js')
    for (const fixture of [text, data])
      expect(mockedTarget([test("jest.mock('../src/inc')"), fixture], 'src/inc.js')).toEqual(['test/inc.test.js'])
    const folder = test('', 'test/fixtures')
    expect(mockedTarget([test("jest.mock('../src/inc')"), folder], 'src/inc.js')).toEqual(['test/inc.test.js'])
  })
})
