import { describe, expect, it } from 'vitest'
import { cannotStart, isConfigurationFault, isOutOfCredit } from './configuration-fault.ts'

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
    [127, 'sh: 1: vitest: not found', 'could not find vitest; install vitest'],
    [127, '/bin/sh: 1: ./node_modules/.bin/ava: not found\n', 'could not find ./node_modules/.bin/ava; install'],
    [127, 'building …\nbash: line 3: pnpm: command not found', 'could not find pnpm; install pnpm'],
    [127, 'env: ‘uv’: No such file or directory', 'could not find uv; install uv'],
    [127, '', 'could not find its program; install its program'],
    [126, 'sh: 1: ./run-tests.sh: Permission denied', 'could not run ./run-tests.sh; make ./run-tests.sh executable'],
    [126, '', 'could not run its program'],
  ])('[AS3] a command that ended with %i and said %j %s', (exitCode, output, fault) => {
    expect(cannotStart('build.test', 'npm test', exitCode, output)).toContain(`build.test: npm test ${fault}`)
  })

  it.each([
    [1, 'sh: 1: vitest: not found'],
    [0, ''],
  ])('[AS3] a command that ended with %i and said %j could be started', (exitCode, output) => {
    expect(cannotStart('build.test', 'npm test', exitCode, output)).toBeNull()
  })
})
