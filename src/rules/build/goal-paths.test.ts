import { describe, expect, it } from 'vitest'
import { goalPaths } from './goal-paths.ts'

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
