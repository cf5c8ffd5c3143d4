import { expect, it } from 'vitest'
import { failsUntouched } from './fails-untouched.ts'

it('[AS3] a command that fails on the untouched tree is described with its cause, what to do, and its output', () => {
  const excerpt = 'building\nerror: no entry.'
  expect(failsUntouched('build.build', { command: 'make', exitCode: 2, excerpt })).toBe(
    `build.build: \`make\` fails on the untouched tree with exit code 2: error: no entry. This is not counted as an attempt. Fix it and commit, or change build.build in convene.yaml\n${excerpt}`,
  )
  expect(failsUntouched('build.test', { command: 'make', exitCode: 2, excerpt: '' })).toMatch(/exit code 2\. This/)
})
