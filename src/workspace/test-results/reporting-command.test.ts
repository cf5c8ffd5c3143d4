import { expect, it } from 'vitest'
import { scriptsOf } from './project-scripts.ts'
import { recogniseRunner } from './recognise-runner.ts'
import { reportingCommand, runnerAlone } from './reporting-command.ts'

const manifest = JSON.stringify({
  scripts: {
    test: 'xo && ava && tsd',
    built: 'tsc -p . && eslint . && mocha',
    nested: 'xo && npm run unit',
    unit: 'ava',
    style: 'xo && prettier --check .',
    globbed: "mocha --recursive -r ./test/setup.js 'test/**/*.js'",
    listed: 'run-s style unit',
    side: 'concurrently "npm:style" "npm:unit"',
    named: 'concurrently -k -n style,unit -c blue,green "npm:style" "npm:unit"',
    served: 'run-p serve unit',
    single: 'ava',
    twice: 'ava && mocha',
    prepared: 'xo && ava',
    preprepared: 'node make.js',
  },
})
const alone = (command: string) =>
  runnerAlone(command, scriptsOf(manifest, ''), { paths: ['test.js'], reports: '' })?.command

const path = 'export PATH="$PWD/node_modules/.bin:$PATH"; '

it.each([
  ['npm test', `${path}ava test.js`],
  ['npm run built', `${path}tsc -p . && mocha test.js`],
  ['npm run nested', `${path}npm run unit -- test.js`],
  ['npm run globbed', `${path}mocha --recursive -r ./test/setup.js test.js`],
  ['npm run listed', `${path}npm run unit -- test.js`],
  ['npm run side', `${path}npm run unit -- test.js`],
  ['npm run named', `${path}npm run unit -- test.js`],
  ['npm run served', `${path}npm run unit -- test.js`],
  ['npx xo && npx ava && npx tsd', 'npx ava test.js'],
])('[VF12] of %j the runner alone is %j', (command, expected) => {
  expect(alone(command)).toBe(expected)
})

it.each(['npm run single', 'npm run twice', 'npm run prepared', 'xo; ava', 'cd packages/a && ava', 'npm run lint'])(
  '[VF12] of %j no part is taken',
  (command) => {
    expect(alone(command)).toBeUndefined()
  },
)

it('[VF4] without paths the whole runner is meant', () => {
  expect(runnerAlone('npm test', scriptsOf(manifest, ''), { paths: [], reports: '' })).toMatchObject({
    command: `${path}ava`,
    narrowed: false,
  })
})

it.each([
  ['node --test test/', 'node --test test/a.test.js'],
  ["mocha --recursive 'test/**/*.js'", 'mocha --recursive test/a.test.js'],
  ['pytest -q -p no:cacheprovider test', 'pytest -q -p no:cacheprovider test/a.test.js'],
  [
    'tsc && node --import ./test/setup.js --test test/*.test.js',
    'tsc && node --import ./test/setup.js --test test/a.test.js',
  ],
  ['vitest run --dir test', 'vitest run --dir test test/a.test.js'],
  ['mocha other/', 'mocha other/ test/a.test.js'],
])('[VF9] %j is narrowed to %j', (command, expected) => {
  const runner = recogniseRunner(command, scriptsOf(manifest, ''))
  expect(reportingCommand(command, runner, { paths: ['test/a.test.js'], reports: '' }).command).toBe(expected)
})
