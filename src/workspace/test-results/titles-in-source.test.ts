import { describe, expect, it } from 'vitest'
import { titlesInSource } from './titles-in-source.ts'

describe('titles in a source', () => {
  it('are found in JavaScript with their groups, and not in comments and strings', () => {
    const source = `
describe('outer', () => {
  it('one', () => { expect(')').toBe(1) })
  describe.skip("inner", () => {
    test.each([1, 2])(\`two\`, () => {})
    test.only('three\\'s', async () => {})
  })
  // it('commented out')
  const text = "it('quoted')"
})
/* test('also commented') */
it.skipIf(isSlow()).each([[sum(1, 2), ')'], [new Date(0), '(']])('adds %s', () => {})
test.each\`
  one | other
  \${1} | \${sum(1)}
\`('takes $one', () => {})
it(title, () => {})
it.each(rows)(title, () => {})
it.each
it('alone', () => emit('not a test'))
`
    expect(titlesInSource(source, 'a.test.ts')).toEqual([
      { name: 'one', groups: ['outer'] },
      { name: 'two', groups: ['outer', 'inner'] },
      { name: "three's", groups: ['outer', 'inner'] },
      { name: 'adds %s', groups: [] },
      { name: 'takes $one', groups: [] },
      { name: 'alone', groups: [] },
    ])
  })

  it('are found in Python by classes', () => {
    const source =
      'class TestA:\n    def helper(self): pass\n    async def test_one(self): pass\n\ndef test_two(): pass\n'
    expect(titlesInSource(source, 'test_a.py')).toEqual([
      { name: 'test_one', groups: ['TestA'] },
      { name: 'test_two', groups: [] },
    ])
  })

  it('are found in Go and Rust', () => {
    const go = `func TestAdd(t *testing.T) {}
func Testing() {}
func FuzzAdd(f *testing.F) {}
func ExampleAdd() {}
`
    expect(titlesInSource(go, 'a_test.go').map(({ name }) => name)).toEqual(['TestAdd', 'FuzzAdd', 'ExampleAdd'])
    const rust = '#[cfg(test)]\nmod tests {\n  #[test]\n  #[ignore]\n  fn adds() {}\n  fn helper() {}\n}\n'
    expect(titlesInSource(rust, 'lib.rs')).toEqual([{ name: 'adds', groups: ['tests'] }])
  })

  it('are unknown in other languages', () => {
    expect(titlesInSource('it "works" do', 'a_spec.rb')).toEqual([])
  })
})
