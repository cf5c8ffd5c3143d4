import { describe, expect, it } from 'vitest'
import { reader } from './syntax.fixture.ts'

describe('idle tests', () => {
  it('[VF5] are those that only call the code or compare constants', () => {
    const text = `
      import assert from 'node:assert'
      import { add } from '../src/add.js'
      import { same, assertSame } from './helper.js'
      const check = (value) => assert.equal(value, 3)
      test('calls', () => { add(1, 2) })
      test('keeps', () => { const sum = add(1, 2); sum.toString(); console.log(sum) })
      test('true', () => { assert.ok(true) })
      test('plain true', () => { add(1, 2); assert(true) })
      test('expects true', () => { expect(true).toBe(true) })
      test('constants', (t) => { t.assert.equal(1, 1) })
      test('nothing thrown', () => { assert.doesNotThrow(() => {}) })
      test('asserts', () => { assert.equal(add(1, 2), 3) })
      test('expects', () => { expect(add(1, 2)).not.toBe(3) })
      test('in context', (t) => { t.assert.equal(add(1, 2), 3) })
      test('loads', async () => { assert.equal((await import('../src/add.js')).add(1, 2), 3) })
      test('should', () => { add(1, 2).should.equal(3) })
      test('throws', () => { if (add(1, 2) !== 3) throw new Error('no') })
      test('fails', () => { if (add(1, 2) !== 3) assert.fail() })
      test('helper here', () => { check(add(1, 2)) })
      test('helper there', () => same(add(1, 2), 3))
      const assertSums = ({ right }) => right.forEach(([a, b, sum]) => assert.equal(add(a, b), sum))
      function expectSum(a, b, sum) { if (add(a, b) !== sum) throw new Error('no') }
      test('helper named like a check', () => { assertSums({ right: [[1, 2, 3]] }) })
      test('another', () => { expectSum(1, 2, 3) })
      test('a third, from beside', () => { assertSame(1) })
      const assertNothing = (a, b) => { add(a, b) }
      function assertItself(a) { assertItself(a) }
      test('a helper that checks nothing', () => { assertNothing(1, 2) })
      test('a helper that calls itself', () => { assertItself(1) })
      const add3 = (value) => add(value, 3)
      test('a function of this file around the code', () => { add3(1) })
      test('elsewhere', check)
      test('rejects', async () => { await assert.rejects(add('x')) })`
    expect(reader.idleTests('a.test.js', text)).toEqual([
      'calls',
      'keeps',
      'true',
      'plain true',
      'expects true',
      'constants',
      'nothing thrown',
      'a helper that checks nothing',
      'a helper that calls itself',
      'a function of this file around the code',
    ])
  })

  it('[VF5] are not those that end only if the code calls back, or that only must not throw', () => {
    const text = `
      import { Queue, parse } from '../src/queue.js'
      it('emits drain', (done) => { const q = new Queue(); q.once('drain', done); q.start() })
      it('drains', async () => {
        const q = new Queue()
        const drained = new Promise((resolve) => q.once('drain', resolve))
        q.start()
        await drained
      })
      it('does not throw on empty input', () => { parse('') })
      test('refuses', async (t) => { try { await parse('x'); t.fail() } catch { t.pass() } })
      it('sleeps', async () => { parse('a'); await new Promise((resolve) => setTimeout(resolve, 10)) })
      it('never throws', () => {})`
    expect(reader.idleTests('a.test.js', text)).toEqual(['sleeps', 'never throws'])
  })

  it('[VF5] are not those that call what lies in a folder of tests, whatever its name', () => {
    const script = `import { sums } from './sums.js'\nit('sums', () => { sums([1, 2, 3]) })`
    expect(reader.idleTests('test/add.test.js', script)).toEqual([])
    expect(reader.idleTests('src/add.test.js', script)).toEqual(['sums'])
    expect(reader.idleTests('packages/spec/src/add.test.js', script)).toEqual(['sums'])
    const python = 'from .sums import sums\ndef test_sums():\n    sums([1, 2, 3])\n'
    expect(reader.idleTests('tests/test_add.py', python)).toEqual([])
    expect(reader.idleTests('add/test_add.py', python)).toEqual(['test_sums'])
  })

  it('[VF5] are not inverted by a key of their table', () => {
    const text = `
      it.each([{ input: 'a', fails: false }])('parses $input', ({ input }) => { expect(parse(input)).toBe(1) })
      it.fails('inverted', () => { expect(parse('a')).toBe(2) })`
    expect(reader.invertedTests('a.test.js', text)).toEqual(['inverted'])
  })

  it('[VF5] are those whose failures nobody sees', () => {
    const text = `
      import assert from 'node:assert'
      import { add } from '../src/add.js'
      test('caught', () => { try { assert.equal(add(1, 2), 4) } catch {} })
      test('logged', () => { try { expect(add(1, 2)).toBe(4) } catch (error) { console.log(error) } })
      test('caught later', async () => { await assert.rejects(add(1)).catch(() => {}) })
      test('handled', () => { try { add('x'); assert.fail() } catch (error) { assert.equal(error.message, 'no') } })
      test('thrown on', () => { try { assert.equal(add(1, 2), 3) } catch (error) { throw new Error('no') } })
      test('called back', (t, done) => { try { assert.equal(add(1, 2), 3); done() } catch (error) { done(error) } })
      test('kept', () => { let error; try { add('x') } catch (caught) { error = caught } assert.ok(error) })
      test('finally', () => { try { assert.equal(add(1, 2), 3) } finally { console.log('done') } })
      test('read', async () => { assert.equal(await add(1).catch((error) => error.code), 3) })`
    expect(reader.idleTests('a.test.js', text)).toEqual(['caught', 'logged', 'caught later'])
    const python = [
      'from adder import add',
      'def test_caught():',
      '    try:',
      '        assert add(1, 2) == 4',
      '    except Exception:',
      '        pass',
      'def test_bare():',
      '    try:',
      '        assert add(1, 2) == 4',
      '    except:',
      '        print("no")',
      'def test_other():',
      '    try:',
      '        assert add(1, 2) == 3',
      '    except ValueError:',
      '        pass',
      'def test_raised():',
      '    try:',
      '        assert add(1, 2) == 3',
      '    except AssertionError as error:',
      '        raise RuntimeError() from error',
    ].join('\n')
    expect(reader.idleTests('test_a.py', python)).toEqual(['test_caught', 'test_bare'])
  })

  it('[VF5] inverted tests pass only if their check fails', () => {
    const text = `
      it.fails('one', () => { expect(add(1, 2)).toBe(4) })
      test.failing('two', () => { expect(add(1, 2)).toBe(4) })
      test('fails', () => { expect(add(1, 2)).toBe(3) })
      it.concurrent.fails('three', () => {})`
    expect(reader.invertedTests('a.test.js', text)).toEqual(['one', 'two', 'three'])
  })

  it('[VF5] are found in Python too', () => {
    const text = [
      'import pytest, unittest',
      'from adder import add',
      'def check(value):',
      '    assert value == 3',
      'def test_calls():',
      '    total = add(1, 2)',
      '    print(total)',
      'def test_true():',
      '    assert True',
      'def test_constants():',
      '    add(1, 2)',
      '    assert 1 == 1',
      'def test_asserts():',
      '    assert add(1, 2) == 3',
      'def test_raises():',
      '    with pytest.raises(ValueError):',
      '        add("x")',
      'def test_helper():',
      '    check(add(1, 2))',
      'def assert_sums(rows):',
      '    for a, b, total in rows:',
      '        assert add(a, b) == total',
      'def assert_nothing(a):',
      '    pass',
      'def test_helper_that_checks_nothing():',
      '    assert_nothing(1)',
      'def make_total():',
      '    return add(1, 2)',
      'def test_around_the_code():',
      '    total = make_total()',
      '    total.bit_length()',
      'def test_helper_named_like_a_check():',
      '    assert_sums([(1, 2, 3)])',
      'class TestAdd(unittest.TestCase):',
      '    def test_idle_method(self):',
      '        self.assertTrue(True)',
      '    def test_method(self):',
      '        self.assertEqual(add(1, 2), 3)',
      '    def assertSum(self, *given):',
      '        self.assertEqual(add(*given[:2]), given[2])',
      '    def test_own_method(self):',
      '        self.assertSum(1, 2, 3)',
    ].join('\n')
    expect(reader.idleTests('test_a.py', text)).toEqual([
      'test_calls',
      'test_true',
      'test_constants',
      'test_helper_that_checks_nothing',
      'test_around_the_code',
      'test_idle_method',
    ])
  })
})
