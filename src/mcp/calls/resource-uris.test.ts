import { expect, it } from 'vitest'
import { planFileUri, readUri, runUri, transcriptUri } from './resource-uris.ts'

it('reads the addresses that it writes', () => {
  expect(readUri(transcriptUri('room a/b'))).toEqual({ kind: 'transcript', room: 'room a/b' })
  expect(readUri(planFileUri('csv-1', 'reviews/a.md'))).toEqual({
    kind: 'plan-file',
    plan: 'csv-1',
    file: 'reviews/a.md',
  })
  expect(readUri(runUri('build-1/parser'))).toEqual({ kind: 'run', run: 'build-1/parser' })
})

it('accepts a slash as it is, and refuses other addresses', () => {
  expect(readUri('convene://runs/build-1/parser')).toEqual({ kind: 'run', run: 'build-1/parser' })
  expect(readUri('convene://plans/p/reviews/a.md')).toEqual({ kind: 'plan-file', plan: 'p', file: 'reviews/a.md' })
  for (const uri of ['convene://rooms/x', 'convene://plans/x', 'file:///etc/passwd', 'convene://runs/%', 'x'])
    expect(readUri(uri)).toBeNull()
})
