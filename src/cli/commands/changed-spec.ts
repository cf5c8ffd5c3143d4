/** Notices on `resume` that the spec file of a build was edited since the build began, and lets the person choose. GR11. */
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { buildStarted } from '../../build/events.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { type Spec, specSchema } from '../../rules/build/spec.ts'
import { changedSpecChoices, specChanges } from '../../rules/build/spec-changes.ts'
import type { Client } from '../client/client.ts'
import type { Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { canAnswer } from '../follow/follow-work.ts'
import { readSpec } from './build.ts'

export type ChosenSpec = { kind: 'go-on' } | { kind: 'started-again'; id: string } | { kind: 'waiting' }

/** `given` is the value of `--spec`. */
export async function chooseSpec(
  client: Client,
  run: string,
  output: Output,
  given: string | undefined,
): Promise<ChosenSpec> {
  if (given !== undefined && given !== 'old' && given !== 'new')
    throw new ConveneError('usage', `--spec ${given}: unknown choice`, { path: '--spec', expected: 'old | new' })
  const found = await changesOf(client, run)
  if (!found) return { kind: 'go-on' }
  const { file, changes } = found
  output.note(printable(`${file} changed since this build began:\n${changes.map((line) => `  ${line}`).join('\n')}`))
  const choice = given ?? (canAnswer(output) ? await ask() : undefined)
  if (choice === 'old') return { kind: 'go-on' }
  if (choice === 'new') return { kind: 'started-again', id: await startAgain(client, run, found) }
  const text = `${file} changed since this build began: which spec?`
  output.data({ run, status: 'waiting', reason: 'spec_changed', changes, choices: changedSpecChoices })
  output.print(`${text}\n  ${changedSpecChoices[0]}: convene resume ${run} --spec old`)
  output.print(`  ${changedSpecChoices[1]}: convene resume ${run} --spec new`)
  return { kind: 'waiting' }
}

interface ChangedSpec {
  file: string
  changes: string[]
  spec: Spec
  strategy: 'graph' | 'solo'
  merge: boolean
}

/** Null if the file is as it was, cannot be read as a spec, or is not known. */
async function changesOf(client: Client, run: string): Promise<ChangedSpec | null> {
  const { events } = await client.call('GET /api/events', { query: { run, types: buildStarted.type } })
  const started = events.find((event) => buildStarted.is(event) && event.run === run)
  if (!started || !buildStarted.is(started) || !started.data.source) return null
  const { source, strategy, merge } = started.data
  const before = specSchema.safeParse(source.spec)
  try {
    const spec = readSpec(source.file)
    const changes = before.success ? specChanges(before.data, spec) : []
    return changes.length === 0 ? null : { file: source.file, changes, spec, strategy, merge }
  } catch (error) {
    if (error instanceof ConveneError) return null
    throw error
  }
}

/** Undefined if the person ends the input instead. */
async function ask(): Promise<'old' | 'new' | undefined> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)))
  try {
    for (;;) {
      const asking = reader.question(`${changedSpecChoices.join(', or ')}? [old/new]: `)
      const said = (await Promise.race([asking, closed]))?.trim().toLowerCase()
      if (said === undefined) return undefined
      if (said === 'old' || said === changedSpecChoices[0]) return 'old'
      if (said === 'new' || said === changedSpecChoices[1]) return 'new'
    }
  } finally {
    reader.close()
  }
}

/** The old run is stopped and stays resumable; what it built so far is kept on its branches. */
async function startAgain(client: Client, run: string, { file, spec, strategy, merge }: ChangedSpec): Promise<string> {
  await client.call('POST /api/runs/:run/stop', { params: { run } })
  const id = `build-${randomUUID()}`
  await client.call('POST /api/builds', { body: { spec, file, strategy, merge, id } })
  return id
}
