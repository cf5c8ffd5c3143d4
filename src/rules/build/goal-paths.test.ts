import { describe, expect, it } from 'vitest'
import { goalPaths, meantPaths } from './goal-paths.ts'

const library = ['package.json', 'readme.md', 'index.js', 'lib/queue.js', 'lib/limit.js', 'test/queue.js', 'test.js']

describe('where a goal is built', () => {
  it.each([
    ['Let lib/queue.js be paused', library, 'lib/queue.js', 'test/queue.js'],
    ['Pause the queue (queue.js), see readme.md.', library, 'lib/queue.js', 'test/queue.js'],
    ['Cover more in test/queue.js', library, 'index.js', 'test/queue.js'],
    ['Add a timeout', library, 'index.js', 'test/goal.test.js'],
    ['Add a timeout', ['src/main.ts', 'src/main.test.ts'], 'src/main.ts', 'src/main.test.ts'],
    ['Read rows', ['app/rows.py', 'app/other.py', 'setup.cfg'], 'src/goal.py', 'tests/test_goal.py'],
    ['Add a page', ['index.html', 'src/main.css', 'src/app.ts'], 'src/goal.ts', 'test/goal.test.ts'],
    ['Anything', [], 'src/goal.js', 'test/goal.test.js'],
    ['Change a.js', ['x/a.js', 'y/a.js'], 'src/goal.js', 'test/goal.test.js'],
  ])('[GR12] %s', (goal, files, targetPath, testPath) => {
    expect(goalPaths(goal, files, 'goal')).toEqual({ targetPath, testPath })
  })
})

const workspace = [
  'packages/core/src/prompts/select.ts',
  'packages/core/test/prompts/select.test.ts',
  'packages/prompts/src/select.ts',
  'packages/prompts/test/select.test.ts',
]
const declared = [
  { path: workspace[0]!, symbols: [{ name: 'SelectPrompt' }] },
  { path: workspace[2]!, symbols: [{ name: 'select' }, { name: 'SelectOptions' }] },
]

describe('where an issue without paths is built', () => {
  it.each([
    ['Let SelectPrompt stop at its ends', workspace[0], workspace[1]],
    ['Pass the option of SelectPrompt through select(); select() wraps around as before', workspace[2], workspace[3]],
    ['Repair packages/core/src/prompts/select.ts, not select()', workspace[0], workspace[1]],
    ['Select all that can be selected', undefined, undefined],
    ['SelectPrompt or SelectOptions', undefined, undefined],
  ])('[GR12] %s', (words, targetPath, testPath) => {
    const meant = meantPaths(words, workspace, declared)
    expect([meant.targetPath, meant.testPath]).toEqual([targetPath, testPath])
  })
})
