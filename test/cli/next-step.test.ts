/** After failed work a command names the next step; a run is named by the beginning of its id. */
import { expect, it } from 'vitest'
import { buildProject, code, type Line, leaf, specOf, testFile } from '../build/project.ts'
import { runResident } from '../support/resident-command.ts'

const spec = specOf('inc')
const node = JSON.stringify(process.execPath)

it('says how to continue a parked build, and takes the beginning of its id', async () => {
  const project = buildProject({
    spec,
    lines: leaf(spec),
    files: {
      'src/inc.js': code('inc'),
      'test/inc.test.js': testFile('inc', { 'old thing': 'assert.equal(inc(1), 2)' }),
      'check.js': "console.log('TypeError: no runner'); process.exit(3)\n",
    },
    build: { test: `${node} check.js` },
  })
  const cwd = project.folder
  const failed = await runResident(['build', 'spec.json', '--strategy', 'graph'], { cwd })
  expect(failed.code, failed.stderr).toBe(2)
  const [, run] = /^next: repair the cause, then: convene resume (build-\S+)$/m.exec(failed.stdout)!
  const resumed = await project.convene('resume', run!.slice(0, 14))
  expect(resumed.report.run).toBe(run)
  await runResident(['build', 'spec.json', '--strategy', 'graph'], { cwd })
  const ambiguous = await project.convene('resume', 'build-')
  expect(ambiguous.code).toBe(2)
  expect(ambiguous.report.error).toMatchObject({ code: 'ambiguous_run', path: 'run' })
})

it('says how to start a build again that a person gave up', async () => {
  const stuck: Line = {
    when: { ask: 'implement' },
    reply: { Stuck: { diagnosis: 'no idea', recommendation: 'say it', attempts: 1 } },
  }
  const project = buildProject({ spec, lines: [stuck] })
  const { report } = await project.build('--strategy', 'solo')
  await project.convene('answer', report.questions![0]!.id, 'give up')
  const ended = await runResident(['resume', report.run], { cwd: project.folder })
  expect(ended.stdout).toContain('failed  given up: Stuck: no idea')
  expect(ended.stdout).toContain('next: correct the spec or the project, then start again: convene build <spec>')
})
