import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputError } from '../schema/rule.ts'
import { samplePayloads } from './exits.fixture.ts'
import { exitPayloads, exitSchemaAt, givenCommit, namedExit } from './exits.ts'
import { type ExitName, exitsAt, type GraphPlace, graphPlaces } from './graph-table.ts'

const everyExit = graphPlaces.flatMap((place) => (exitsAt(place) as ExitName[]).map((exit) => [place, exit] as const))

/** As an ask reads a reply: by the schema of its place, then taken apart. */
function readExit(place: GraphPlace, reply: unknown) {
  const parsed = exitSchemaAt(place).safeParse(reply)
  if (!parsed.success) return { ok: false, error: inputError(parsed.error) } as const
  return { ok: true, exit: namedExit(parsed.data) } as const
}

describe('exits', () => {
  it.each(everyExit)('[GR1] %s reads %s with the fields it was given', (place, exit) => {
    const reply = { [exit]: samplePayloads[exit] }
    expect(readExit(place, reply)).toEqual({ ok: true, exit: { name: exit, payload: samplePayloads[exit] } })
    expect(exitSchemaAt(place).parse(reply)).toEqual(reply)
  })

  it.each(everyExit)('[GR1] %s tells which field of %s is missing', (place, exit) => {
    for (const [field, schema] of Object.entries(exitPayloads[exit].shape)) {
      if (schema.safeParse(undefined).success) continue
      const { [field as never]: _, ...rest } = samplePayloads[exit] as object
      expect(readExit(place, { [exit]: rest })).toMatchObject({ error: { path: `${exit}.${field}` } })
    }
  })

  it('[GR1] lists that have nothing in them may be left out', () => {
    const approved = { Approved: { signOff: 'good', coverageReport: { criteriaWithTests: [['c1', 'parses']] } } }
    const read = readExit('tdd:review', approved)
    expect(read).toMatchObject({ exit: { payload: { coverageReport: { criteriaMissing: [] } } } })
    const critiques = [{ file: 'a.ts', line: 1, issue: 'wrong', requiredFix: 'right' }]
    expect(readExit('tdd:review', { Approved: { signOff: 'good' } })).toMatchObject({
      exit: { payload: { coverageReport: { criteriaWithTests: [], criteriaMissing: [] } } },
    })
    expect(readExit('tdd:review', { MoreTests: { critiques } })).toMatchObject({
      exit: { payload: { critiques, additionalTests: [] } },
    })
    expect(readExit('tdd:review', { Reject: { reason: 'no' } })).toMatchObject({
      exit: { payload: { missingCriteria: [] } },
    })
  })

  it('[GR1] an unknown field is refused by name', () => {
    const reply = { TestsPassed: { ...samplePayloads.TestsPassed, passed: true } }
    expect(readExit('impl', reply)).toMatchObject({
      error: { path: 'TestsPassed', message: expect.stringMatching(/passed/) },
    })
  })

  it.each([
    [{}],
    [{ TestsReady: samplePayloads.TestsReady }],
    [{ Stuck: samplePayloads.Stuck, TestsPassed: samplePayloads.TestsPassed }],
    ['TestsPassed'],
    [[{ Stuck: samplePayloads.Stuck }]],
    [null],
  ])('[GR1] %j is not one exit of impl, and the answer lists those', (reply) => {
    const expected = 'TestsPassed | RequestRetry | BlockedDependency | SpecAmbiguity | Stuck'
    expect(readExit('impl', reply)).toMatchObject({ ok: false, error: { expected } })
  })

  it('[GR1] a mistyped exit is suggested', () => {
    const error = { message: expect.stringMatching(/did you mean TestsPassed/) }
    expect(readExit('impl', { TestPassed: {} })).toMatchObject({ error })
  })

  it('[GR1] a mistake in a child spec is reported with its path', () => {
    const child = {
      id: 'lexer',
      description: 'd',
      acceptanceCriteria: [{ id: 'c1', text: 't' }],
      targetPath: 'a',
      testPath: 'b',
    }
    const reply = (spec: object) => ({ InitWork: { ...samplePayloads.InitWork, childSpecs: [spec] } })
    expect(readExit('scaffold', reply({ ...child, dependsOn: ['other'] }))).toMatchObject({ ok: true })
    expect(readExit('scaffold', reply({ ...child, id: 'a b' }))).toMatchObject({
      error: { path: 'InitWork.childSpecs.0.id' },
    })
  })

  it('[VF6] a path that leads out of the tree fails the reply', () => {
    const reply = { InitWork: { ...samplePayloads.InitWork, contractSuite: '../outside.test.ts' } }
    expect(readExit('scaffold', reply)).toMatchObject({ error: { path: 'InitWork.contractSuite' } })
    expect(
      readExit('tdd:write-tests', { TestsReady: { testFiles: ['/etc/passwd'], pendingCriteria: [] } }),
    ).toMatchObject({
      error: { path: 'TestsReady.testFiles.0' },
    })
  })

  it('[GR1] a commit left out, null or blank is no commit', () => {
    expect([undefined, null, '', ' ', ' abc '].map(givenCommit)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'abc',
    ])
    expect(readExit('rebaser', { RebaseClean: { newBase: null } })).toMatchObject({ ok: true })
  })

  it.each(graphPlaces)('[GR1] the exits of %s have a JSON Schema, one form an exit', (place) => {
    for (const io of ['input', 'output'] as const) {
      const schema = z.toJSONSchema(exitSchemaAt(place), { io })
      expect(schema.anyOf?.map((form) => Object.keys((form as { properties: object }).properties))).toEqual(
        exitsAt(place as GraphPlace).map((exit) => [exit]),
      )
    }
  })

  it('[GR1] whatever an agent replies, it is read or refused', () => {
    const payload = fc.oneof(fc.anything(), fc.constantFrom(...Object.values(samplePayloads)))
    const reply = fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(samplePayloads)), fc.string()), payload, {
      maxKeys: 2,
    })
    fc.assert(
      fc.property(fc.constantFrom(...graphPlaces), fc.oneof(reply, fc.anything()), (place, value) => {
        const read = readExit(place, value)
        if (read.ok) expect(exitsAt(place)).toContain(read.exit.name)
        else expect(read.error.code).toBe('invalid_input')
      }),
    )
  })
})
