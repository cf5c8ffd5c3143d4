import { expect, it } from 'vitest'
import { thrownIn } from './thrown-in.ts'

it.each([
  ['Node', 'Error: no\n    at inc (file:///p/src/inc.js:2:9)\n    at file:///p/test/inc.test.js:4:3', 'src/inc.js'],
  ['Node internals first', 'Error: no\n    at node:internal/x:1:2\n    at /p/test/a.test.js:4:3', 'test/a.test.js'],
  ['a library', 'Error\n    at f (/p/node_modules/x/y.js:1:1)\n    at /p/test/a.test.js:4:3', 'test/a.test.js'],
  ['loading', 'file:///p/src/inc.js:1\nthrow new Error("later")\n^\n\nError: later', 'src/inc.js'],
  ['Vitest', 'TypeError: x\n ❯ src/inc.ts:3:4\n ❯ test/inc.test.ts:1:1', 'src/inc.ts'],
  ['Python', '  File "/p/test_a.py", line 3\n  File "/p/app/inc.py", line 2\nValueError: no', 'app/inc.py'],
  ['Rust', "thread 'a' panicked at src/lib.rs:3:5:\nnot yet", 'src/lib.rs'],
  ['elsewhere', 'Error\n    at /other/x.js:1:1', undefined],
  ['no trace', 'Error: no', undefined],
])('finds the file that threw, in a trace of %s', (_, failure, file) => {
  expect(thrownIn(failure, '/p')).toBe(file)
})
