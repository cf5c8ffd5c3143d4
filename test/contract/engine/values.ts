/** Values of a step, a run or a signal are the same the first time and on replay. */
import { describe, expect, it } from 'vitest'
import type { Run, StepFailed } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, type OpenEngine, secret, workflow } from './bench.ts'

const recordable: [string, unknown, unknown][] = [
  ['undefined', undefined, undefined],
  ['null', null, null],
  ['false', false, false],
  ['zero', 0, 0],
  ['an empty text', '', ''],
  ['a text of every kind', 'ü 中 😀 \u0000 \ud800 "\\\n', 'ü 中 😀 \u0000 \ud800 "\\\n'],
  ['something nested', { a: [1, { b: [null, true] }], c: {} }, { a: [1, { b: [null, true] }], c: {} }],
  ['a key that is no ordinary one', JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
  ['a million characters', 'x'.repeat(1_000_000), 'x'.repeat(1_000_000)],
  ['not a number', Number.NaN, null],
  ['infinity', Number.POSITIVE_INFINITY, null],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['undefined in a list and in an object', [undefined, { gone: undefined, kept: 1 }], [null, { kept: 1 }]],
  ['a map', new Map([[1, 2]]), {}],
  ['a function', () => 1, undefined],
  ['bytes', new Uint8Array([7, 8]), { 0: 7, 1: 8 }],
]

const circular: Record<string, unknown> = {}
circular.self = circular

const unrecordable: [string, unknown][] = [
  ['a BigInt', { count: 10n }],
  ['a cycle', circular],
  ['something that refuses', { toJSON: () => throwNo() }],
]

export function valuesContract(open: OpenEngine): void {
  describe('values', () => {
    const bench = benchForEach(open)

    it.each(recordable)('returns %s the same way the first time and on replay', async (_, given, expected) => {
      const seen: unknown[][] = []
      const giving = workflow('giving', async (run: Run, input: unknown) => {
        const value = await run.step('give', () => given)
        seen.push([value, input])
        return run.receive('value')
      })
      await bench().engine.start(giving, given, { id: 'r' })
      await eventually(() => expect(seen).toHaveLength(1))
      await bench().restart(giving)
      await eventually(() => expect(seen).toHaveLength(2))
      await bench().engine.send('r', 'value', given)
      const output = await bench().engine.result('r')
      await bench().restart(giving)
      for (const value of [...seen.flat(), output, await bench().engine.result('r')]) {
        expect(value).toStrictEqual(expected)
      }
    })

    it.each(unrecordable)('fails clearly, and the same on replay, if a step returns %s', async (_, given) => {
      const errors: StepFailed[] = []
      let tries = 0
      const giving = workflow('giving', async (run: Run) => {
        const options = { retries: 3, retryDelayMs: 0 }
        const giving = () => {
          tries++
          return given
        }
        await run.step('give', giving, options).catch((error) => errors.push(error))
        await run.receive('go')
        return 'went on'
      })
      await bench().engine.start(giving, undefined, { id: 'r' })
      await eventually(() => expect(errors).toHaveLength(1))
      await bench().restart(giving)
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('went on')
      expect(tries).toBe(1)
      for (const error of errors) {
        expect(error).toMatchObject({ name: 'StepFailed', step: 'give', code: 'unrecordable' })
        expect(error.message).toMatch(/^the result of step 'give' cannot be recorded as JSON: /)
        expect(error.message).toBe(errors[0]!.message)
      }
    })

    it.each(unrecordable)('rejects %s as input, as a signal and as a result', async (_, given) => {
      const echo = workflow('echo', async (_run: Run, _input: unknown) => given)
      await expect(bench().engine.start(echo, given)).rejects.toMatchObject({ code: 'unrecordable' })
      expect(await bench().engine.list()).toEqual([])
      await bench().engine.start(echo, 1, { id: 'r' })
      expect(await bench().failure('r')).toMatchObject({ status: 'failed', code: 'unrecordable' })
      await expect(bench().engine.send('r', 'topic', given)).rejects.toMatchObject({ code: 'unrecordable' })
    })

    it.each(unrecordable)('fails a step, not the engine, if a run sends, starts or notes %s', async (_, given) => {
      const rounds: string[][] = []
      const child = workflow('child', async () => 1)
      const careless = workflow('careless', async (run: Run) => {
        const codes = [
          await run.send(run.runId, 'topic', given).catch((error) => error.code),
          await run.start(child, given as undefined).catch((error) => error.code),
          await run.append({ type: 'thing.noted', version: 1, stream: 's', data: given }).catch((error) => error.name),
          await run
            .step('emit', ({ emit }) => emit({ type: 'thing.noted', version: 1, stream: 's', data: given }))
            .catch((error) => error.name),
          await run
            .step('append', ({ append }) => append({ type: 'thing.noted', version: 1, stream: 's', data: given }))
            .catch((error) => error.name),
        ]
        rounds.push(codes)
        await run.receive('go')
        return 'went on'
      })
      await bench().engine.start(careless, undefined, { id: 'r' })
      await eventually(() => expect(rounds).toHaveLength(1))
      await bench().restart(careless, child)
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('went on')
      expect(rounds[0]).toEqual(['unrecordable', 'unrecordable', 'StepFailed', 'StepFailed', 'StepFailed'])
      expect(rounds[1]).toEqual(rounds[0])
      expect(await bench().events('s')).toEqual([])
    })

    it.each(['', ' ', '__proto__', 'ü 😀', '\ud800 lone', 'nul \u0000 inside', 'n'.repeat(5000)])(
      'recognises a step whatever its name (%j)',
      async (name) => {
        let count = 0
        const named = workflow('named', async (run: Run) => {
          await run.step(name, () => void count++)
          return run.receive(name)
        })
        await bench().engine.start(named, undefined, { id: 'r' })
        await bench().steps('r', 1)
        await bench().restart(named)
        await bench().engine.send('r', name, 'heard')
        expect(await bench().engine.result('r')).toBe('heard')
        expect(count).toBe(1)
      },
    )

    it('redacts secrets in the journal and the log, and gives the run the recorded value', async () => {
      const leaky = workflow('leaky', async (run: Run, input: string) => {
        const given = await run.step('give', () => ({ token: `${secret}!` }))
        const error = await run
          .step('fail', () => {
            throw new Error(`bad token "${secret}"`)
          })
          .catch((error) => error.message)
        await run.send(run.runId, 'note', [secret])
        const note = await run.receive('note')
        await run.append({ type: 'thing.noted', version: 1, stream: 's', data: { secret } })
        await run.step('tell', async ({ append, emit }) => {
          await append({ type: 'thing.noted', version: 1, stream: 's', data: { secret } })
          emit({ type: 'thing.noted', version: 1, stream: 's', data: { secret } })
        })
        return { input, given, error, note, secret }
      })
      await bench().engine.start(leaky, secret, { id: 'r' })
      expect(await bench().engine.result('r')).toEqual({
        input: '[hidden]',
        given: { token: '[hidden]!' },
        error: 'bad token "[hidden]"',
        note: ['[hidden]'],
        secret: '[hidden]',
      })
      const failing = workflow('failing', async () => {
        throw new Error(`no ${secret}`)
      })
      await bench().engine.start(failing, undefined, { id: 'f' })
      expect((await bench().failure('f')).message).toBe('no [hidden]')
      const everything = JSON.stringify([
        await bench().engine.steps('r'),
        await bench().engine.list(),
        await bench().store.read({}),
      ])
      expect(everything).not.toContain(secret)
      expect(everything.match(/\[hidden\]/g)!.length).toBeGreaterThan(6)
    })
  })
}

function throwNo(): never {
  throw new Error('no')
}
