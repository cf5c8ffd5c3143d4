import { expect, it } from 'vitest'
import { describeFailedCommand } from './failed-command.ts'
import { causeOf, refusalLine } from './refusal-line.ts'

const ran = { command: 'npm test', exitCode: 1, failing: [], excerpt: '' }
const refused = (more: object) =>
  refusalLine(`the tests fail in a clean checkout:\n${describeFailedCommand({ ...ran, ...more })}`)

it('[VF8] a refusal is shown with the first failing test, or the first error', () => {
  expect(refused({ failing: [{ name: 'adds', message: 'expected 3, got 4' }] })).toBe(
    'the tests fail in a clean checkout: adds: expected 3, got 4',
  )
  expect(refused({ excerpt: '> ava\n\nSyntaxError: Unexpected token' })).toBe(
    'the tests fail in a clean checkout: SyntaxError: Unexpected token',
  )
  expect(refused({})).toBe('the tests fail in a clean checkout: `npm test`: exit code 1')
})

it('[VF8] a refusal by a linter is shown with file, line and rule', () => {
  const xo = ['  index.js:37:28', '', '  ✖    37:28  Missing semicolon.      semi', '', '  1 error'].join('\n')
  const eslint = ['src/a.js', '  3:5  error  Unexpected var  no-var', '', '✖ 1 problem'].join('\n')
  const line = (excerpt: string) => refused({ excerpt }).replace('the tests fail in a clean checkout: ', '')
  expect(line(xo)).toBe('index.js:37 Missing semicolon. (semi)')
  expect(line(eslint)).toBe('src/a.js:3 Unexpected var (no-var)')
  expect(line('2 errors\nsrc/a.ts(3,5): error TS2304: Cannot find name')).toMatch(/^src\/a\.ts\(3,5\): error TS2304/)
})

it('[VF8] a test that is named in front of its own message is named once', () => {
  const text = describeFailedCommand({ ...ran, failing: [{ name: 'adds (a)', message: 'expected 3' }] })
  expect(refusalLine(`the tests do not pass (adds (a)):\n${text}`)).toBe('the tests do not pass: adds (a): expected 3')
  expect(refusalLine(`the tests do not pass (adds (a), more):\n${text}`)).toContain('(adds (a), more)')
})

it('[VF8] a line that says it all is left alone', () => {
  expect(refusalLine('no test was written under test/\nmore')).toBe('no test was written under test/')
  expect(refusalLine('nothing more:')).toBe('nothing more')
})

it.each([
  ['standard', '  /x/index.js:3:7: Extra semicolon. (semi)', '/x/index.js:3:7: Extra semicolon. (semi)'],
  ['Ruff', 'app/a.py:1:8: F401 [*] `os` imported but unused', 'app/a.py:1:8: F401 [*] `os` imported but unused'],
  [
    'mypy',
    'app/a.py:3: error: Missing return statement  [return]',
    'app/a.py:3: error: Missing return statement [return]',
  ],
  [
    'tsd',
    '  index.test-d.ts:5:0\n  ✖  5:0  Argument of type number is wrong.',
    'index.test-d.ts:5 Argument of type number is wrong.',
  ],
  [
    'Biome',
    'src/a.js:1:1 lint/style/noVar  FIXABLE  ━━━━\n\n  × Use let or const.\n',
    'src/a.js:1 Use let or const. (lint/style/noVar)',
  ],
  ['Prettier', 'Checking formatting...\n[warn] src/a.js\n[warn] Code style issues', 'not formatted: src/a.js'],
  ['oxfmt', 'Checking formatting...\n\nconvene.yaml (0ms)\n\nFormat issues', 'not formatted: convene.yaml'],
  [
    'ESLint',
    'src/a.js\n  1:1  warning  Odd  no-odd\n  3:5  error  Unexpected var  no-var',
    'src/a.js:3 Unexpected var (no-var)',
  ],
  ['a runner', '✔ should throw an error\nTypeError: no', 'TypeError: no'],
  [
    'a script that npm started',
    'npm error code 1\nnpm error path /x\nsh: 1: vitest: not found\nnpm error Lifecycle script `test` failed with error:',
    'sh: 1: vitest: not found',
  ],
  [
    'a script that pnpm started',
    ' ELIFECYCLE  Command failed with exit code 1.\nError: no database\n ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  a test: failed',
    'Error: no database',
  ],
  ['a program with a stack', 'pnpm: x\n    at getFinalError (x.mjs:1:1)\nTypeError: no', 'TypeError: no'],
  [
    'an install script that npm started',
    [
      'code 1',
      'path /x/node_modules/puppeteer',
      'command failed',
      'command sh -c node install.mjs',
      '**INFO** Skipping Firefox download as instructed.',
      'file:///x/node_modules/puppeteer/install.mjs:2',
      "throw new Error('ERROR: Failed to set up chrome!')",
      '',
      'Error: ERROR: Failed to set up chrome!',
      '    at file:///x/node_modules/puppeteer/install.mjs:2:7',
      '  [cause]: Error: getaddrinfo EAI_AGAIN storage.googleapis.com',
    ]
      .map((line) => `npm error ${line}`)
      .join('\n'),
    'Error: ERROR: Failed to set up chrome!',
  ],
  [
    'an install script that pnpm started',
    [
      '.../node_modules/puppeteer postinstall$ node install.mjs',
      ".../node_modules/puppeteer postinstall: throw new Error('ERROR: Failed to set up chrome!')",
      '.../node_modules/puppeteer postinstall: Error: ERROR: Failed to set up chrome!',
      '.../node_modules/puppeteer postinstall: Failed',
      '[ELIFECYCLE] Command failed with exit code 1.',
    ].join('\n'),
    'Error: ERROR: Failed to set up chrome!',
  ],
  [
    'an install script that yarn started',
    'error /x/node_modules/puppeteer: Command failed.\nExit code: 1\nOutput:\n**INFO** Skipping Firefox\nError: ERROR: Failed to set up chrome!',
    'Error: ERROR: Failed to set up chrome!',
  ],
  [
    'npm about dependencies that do not fit',
    'npm warn ERESOLVE error of a peer\nnpm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\nnpm error Found: react@18.3.1',
    'ERESOLVE unable to resolve dependency tree',
  ],
  [
    'pnpm itself',
    ' WARN  GET https://r/x error (EAI_AGAIN). Will retry in 10 seconds.\n ERR_PNPM_NO_MATCHING_VERSION  No matching version found for x@9',
    'ERR_PNPM_NO_MATCHING_VERSION No matching version found for x@9',
  ],
  [
    'npm itself',
    'npm error code E404\nnpm error 404 Not Found - GET https://r/left-pad\nnpm error A complete log of this run can be found in: /x',
    '404 Not Found - GET https://r/left-pad',
  ],
])('[VF8] the words of %s are found', (_, printed, cause) => {
  expect(causeOf(printed)).toBe(cause)
})

it('[VF8] a linter in a chain is named with its own words, before tests that fail beside it', () => {
  const part = { command: 'xo', exitCode: 1, excerpt: 'index.js\n  ✖  3:5  Missing semicolon.  semi' }
  const failing = [{ name: 'adds', message: 'expected 3' }]
  const text = describeFailedCommand({ ...ran, failing, excerpt: 'ok 1\nok 2', parts: [part] })
  expect(text).toBe(
    [
      '`npm test`: exit code 1',
      'In it, `xo` fails with exit code 1.',
      'Output around the first error:',
      '```',
      'index.js\n  ✖  3:5  Missing semicolon.  semi',
      '```',
      'Failing tests:',
      '  - adds: expected 3',
    ].join('\n'),
  )
  expect(refusalLine(`a check fails:\n${text}`)).toBe('a check fails: index.js:3 Missing semicolon. (semi)')
})

it('[VF8] names the file that it is about, once', () => {
  expect(refusalLine('agents may not edit it', 'package.json')).toBe('package.json: agents may not edit it')
  expect(refusalLine('package.json disarms the tests', 'package.json')).toBe('package.json disarms the tests')
})
