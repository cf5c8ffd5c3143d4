/** A build and a ship as they were with real models: their recorded replies are played again, and the same work is accepted. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { asked, buildProject, expectExit, type Line, ofType, type Project, type SpecFile, specOf } from './project.ts'

const transcripts = join(import.meta.dirname, '..', 'transcripts')
const sample = join(import.meta.dirname, '..', '..', 'examples', 'first-ship', 'project')

/** The project that the models worked on, with agents that say what they said. */
function recorded(name: string, spec: SpecFile = specOf('unused')): Project {
  const script = { provider: 'rehearsal', script: '../script.yaml' }
  const files = readdirSync(sample, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return buildProject({
    spec,
    lines: parse(readFileSync(join(transcripts, name, 'script.yaml'), 'utf8')) as Line[],
    files: Object.fromEntries(
      files.map(({ parentPath, name: file }) => [
        join(parentPath, file).slice(sample.length + 1),
        readFileSync(join(parentPath, file), 'utf8'),
      ]),
    ),
    build: { test: 'npm test', setup: 'true' },
    config: { agents: { alpha: script, beta: script } },
  })
}

it('[VF4] [VF8] orders-build: the wrong attempt is refused with its cause, and everything else is accepted at once', async () => {
  const spec = parse(readFileSync(join(transcripts, 'orders-build', 'spec.yaml'), 'utf8')) as SpecFile
  const project = recorded('orders-build', spec)
  expectExit(await project.build('--strategy', 'graph', '--merge'), 0)
  const events = await project.events()
  expect(asked(events)).toEqual(
    ['scaffold', 'write-tests', 'implement', 'implement', 'review-impl'].map((kind) => `${kind} refund`),
  )
  const refused = ofType(events, 'reply.refused') as { attempt: number; problems: { message: string }[] }[]
  expect(refused).toMatchObject([
    { attempt: 1, problems: [{ message: expect.stringContaining('Received "TypeError"') }] },
  ])
  expect(project.git('log', '-1', '--format=%s')).toBe('Refund pieces of an order')
})

it('[DU2] [VF4] orders-ship: plan, issues and builds are accepted at once', async () => {
  const project = recorded('orders-ship')
  const goal = 'Show what an order comes to as text, such as 25.00 EUR, for a receipt'
  const shipped = await project.convene('ship', goal, '--yes', '--merge')
  expectExit(shipped, 0)
  expect(shipped.report).toMatchObject({ status: 'done', merged: true })
  const events = await project.events()
  expect(ofType(events, 'reply.refused')).toEqual([])
  // Four asks for a change of one file, then two issues of one agent and a review each, and a summary in between.
  expect(ofType(events, 'ask.started')).toHaveLength(9)
  expect(project.git('log', '-2', '--format=%s').split('\n')).toEqual([
    'Say in the README how to show a total',
    'Show the total of an order as text',
  ])
})
