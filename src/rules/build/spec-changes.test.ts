import { expect, it } from 'vitest'
import { specSchema } from './spec.ts'
import { changedSpecChoices, specChanges } from './spec-changes.ts'

const given = {
  id: 'inc',
  description: 'Add one',
  acceptanceCriteria: [{ id: 'a', text: 'adds' }],
  targetPath: 'src/inc.js',
  testPath: 'test/inc.test.js',
}
const spec = (more: object = {}) => specSchema.parse({ ...given, ...more })

it('[GR11] names what changed in a spec, criterion by criterion', () => {
  expect(specChanges(spec(), spec())).toEqual([])
  const criteria = [
    { id: 'a', text: 'adds one' },
    { id: 'b', text: 'refuses text' },
  ]
  expect(specChanges(spec(), spec({ description: 'Add two', acceptanceCriteria: criteria }))).toEqual([
    'description changed',
    'criterion a changed: adds one',
    'criterion b was added: refuses text',
  ])
  expect(specChanges(spec({ acceptanceCriteria: criteria }), spec())).toContain('criterion b was removed')
  expect(changedSpecChoices).toHaveLength(2)
})
