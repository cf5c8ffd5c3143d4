/** `convene decide`: JSON on stdin, a decision or the error object on stdout. */
import { describe, expect, it } from 'vitest'
import { run, temporaryFolder } from '../support/convene.ts'

const decide = (input: string, ...args: string[]) => run(['decide', ...args], { cwd: temporaryFolder(), input })

describe('convene decide', () => {
  it('prints a decision as JSON, or for a person with --explain', async () => {
    const input = JSON.stringify({ prompt: 'drop the table of orders in production' })
    const decided = await decide(input, 'risk')
    expect([decided.code, JSON.parse(decided.stdout)]).toMatchObject([0, { flags: expect.any(Array) }])
    const explained = await decide(input, 'risk', '--explain')
    expect([explained.code, explained.stdout]).toEqual([0, expect.stringMatching(/^[^{].*production-access/s)])
  })

  it('ends with 2 and the error object, its place dotted, where the input or the rule is wrong', async () => {
    const wrong = await decide('{"prompt": 5}', 'risk')
    expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([
      2,
      { error: { code: expect.any(String), message: expect.any(String), path: 'prompt', expected: 'string' } },
    ])
    const unknown = await decide('{}', 'rsk', '--json')
    expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([
      2,
      { error: { code: 'unknown_rule', path: 'rule' } },
    ])
  })

  it('with --lines answers each line in order; an error is a line too, and the exit code is then 2', async () => {
    const lines = ['{"prompt": "a quick spike"}', '', '{"prompt": 5}', 'no json', '{"prompt": "deploy it"}']
    const { code, stdout } = await decide(lines.join('\n'), 'risk', '--lines')
    expect(code).toBe(2)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { flags: [], suggestion: { mode: 'rapid' } },
      { error: { path: 'prompt' } },
      { error: { code: 'invalid_json' } },
      { flags: ['production-access'] },
    ])
  })
})
