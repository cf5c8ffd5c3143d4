import { describe, expect, it } from 'vitest'
import { reader } from './syntax.fixture.ts'

describe('idle tests', () => {
  it('[VF5] are those that only call the code or compare constants', () => {
    const text = `
      import assert from 'node:assert'
      import { add } from '../src/add.js'
      import { same } from './helper.js'
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
    ])
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
      'class TestAdd(unittest.TestCase):',
      '    def test_idle_method(self):',
      '        self.assertTrue(True)',
      '    def test_method(self):',
      '        self.assertEqual(add(1, 2), 3)',
    ].join('\n')
    expect(reader.idleTests('test_a.py', text)).toEqual([
      'test_calls',
      'test_true',
      'test_constants',
      'test_idle_method',
    ])
  })
})
