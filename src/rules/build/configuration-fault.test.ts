import { describe, expect, it } from 'vitest'
import { isConfigurationFault, isOutOfCredit, missingCommand } from './configuration-fault.ts'

describe('a configuration fault', () => {
  it.each([
    [401, 'invalid x-api-key'],
    [403, 'Your key has no access to this model'],
    [404, 'The model `gpt-99` does not exist or you do not have access to it. model_not_found'],
    [404, 'Not Found'],
    [400, 'models/gemini-99 is not found; model_not_found'],
    [400, 'Invalid model name passed in'],
    [402, 'Payment required'],
    [429, 'You exceeded your current quota (insufficient_quota)'],
  ])('[AS3] is a refusal with %i: %s', (status, words) => {
    expect(isConfigurationFault({ status, words })).toBe(true)
  })

  it.each([
    [400, 'messages: text content blocks must be non-empty'],
    [400, 'prompt is too long for this model'],
    [429, 'Rate limit reached for requests'],
    [500, 'The model is overloaded'],
    [503, 'model not found in cache, try again'],
  ])('[AS3] is not a refusal with %i: %s', (status, words) => {
    expect(isConfigurationFault({ status, words })).toBe(false)
  })

  it('[AS3] tells no credit from too many requests', () => {
    expect(isOutOfCredit('insufficient_quota')).toBe(true)
    expect(isOutOfCredit('rate_limit_exceeded')).toBe(false)
  })

  it.each([
    [127, 'sh: 1: vitest: not found', 'vitest'],
    [127, '/bin/sh: 1: ./node_modules/.bin/ava: not found\n', './node_modules/.bin/ava'],
    [127, 'building …\nbash: line 3: pnpm: command not found', 'pnpm'],
    [127, 'env: ‘uv’: No such file or directory', 'uv'],
    [127, '', 'a program'],
    [1, 'sh: 1: vitest: not found', null],
    [0, '', null],
  ])('[AS3] a command that ended with %i and said %j misses %s', (exitCode, output, program) => {
    expect(missingCommand(exitCode, output)).toBe(program)
  })
})
