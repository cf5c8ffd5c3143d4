/** A spec that was edited while its build was stopped. */
import { expect, it } from 'vitest'
import { buildProject, expectExit, honest, ofType, specOf } from '../build/project.ts'

it('[GR11] is noticed on resume: the person goes on with the old one, or starts again with the new one', async () => {
  const spec = specOf('inc')
  const good = honest(spec)
  const unclear = {
    reply: {
      ClarificationNeeded: {
        question: 'Which base?',
        ambiguityReference: 'the text',
        specSentence: 'The function inc',
      },
    },
  }
  const lines = [{ ...good.scaffold, ...unclear, files: {} }, good.scaffold, good.tests, good.code, good.review]
  const project = buildProject({ spec, lines })
  const waiting = await project.build('--strategy', 'graph')
  expectExit(waiting, 3)
  project.write({ 'spec.json': JSON.stringify({ ...spec, description: 'Another description' }) })
  const noticed = await project.convene('resume', waiting.report.run)
  expectExit(noticed, 3)
  expect(noticed.report).toMatchObject({ reason: 'spec_changed', changes: ['description changed'] })
  expect(noticed.stderr).toContain('spec.json changed since this build began')
  expectExit(await project.convene('resume', waiting.report.run, '--spec', 'old'), 3)
  const again = await project.convene('resume', waiting.report.run, '--spec', 'new')
  expectExit(again, 0)
  expect(again.report.run).not.toBe(waiting.report.run)
  const started = ofType(await project.events(), 'build.started')
  expect(started.map(({ description }) => description)).toEqual([spec.description, 'Another description'])
})
