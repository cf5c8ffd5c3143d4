import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutEmphasis } from './without-emphasis.ts'

/** None of these opens and closes bold text, alone or beside the others. */
const plain = [
  '3*10**34',
  '3 * 10 ** 34',
  '(a+b)**2',
  'a[0]**b[1]',
  'a*b*c',
  '2**n',
  'x**-1',
  'f(*args, **kwargs)',
  '{**a, **b}',
  'src/**/*.ts',
  '**/*.py',
  'docs/**',
  '__init__',
  '__init__.py',
  '__FILE__',
  'src/__tests__/a.test.js',
  '`**bold** in code`',
  '``a ` **b** ``',
  '*',
  '**',
  '__',
  '_private_',
  'words,',
  'of 2.9 KiB.',
]

it.each(plain)('[PH6] code, arithmetic, paths and names stay: %s', (text) => {
  expect(withoutEmphasis(text)).toBe(text)
})

it('[PH6] a text without a balanced pair of marks at the edges of words stays', () => {
  const text = fc.array(fc.constantFrom(...plain), { maxLength: 12 }).map((parts) => parts.join(' '))
  fc.assert(fc.property(text, (given) => withoutEmphasis(given) === given))
  const marks = fc.string({ unit: fc.constantFrom('*', '_', 'a', '1', '(', ')', '/', '.', ' ', '\n'), maxLength: 30 })
  const balanced = /(?:^|[\s(/.)])(?:\*\*[^\s*][^\n]*\*\*|__[^\s_][^\n]*__)/
  fc.assert(fc.property(marks, (given) => balanced.test(given) || withoutEmphasis(given) === given))
})

it('[PH6] bold words lose their marks, whatever stands around them', () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_*.-]{0,8}[a-z0-9]$/).filter((one) => !/\*\*|__/.test(one))
  const bold = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  fc.assert(fc.property(bold, (words) => withoutEmphasis(`a (**${words}**), b`) === `a (${words}), b`))
  expect(withoutEmphasis('**T1** 3*10**34 is **not** `a**b**` and **`f(x)` too**: 2**3')).toBe(
    'T1 3*10**34 is not `a**b**` and `f(x)` too: 2**3',
  )
  expect(withoutEmphasis('__not yet__ in __init__.py, __all of it__')).toBe('not yet in __init__.py, all of it')
})

it('[PH6] a long line of marks is no problem', () => {
  for (const mark of ['**a ', ' __a', '`', '` ``', '**a*b', ' **a `']) {
    const line = mark.repeat(20_000)
    expect(withoutEmphasis(line) === line).toBe(true)
  }
})
