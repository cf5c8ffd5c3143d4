import { describe, expect, it } from 'vitest'
import { agentEnvironment } from './environment.ts'

const env = {
  PATH: '/bin',
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  TERM: 'xterm',
  https_proxy: 'http://proxy',
  NO_PROXY: 'localhost',
  OPENAI_API_KEY: 'one',
  ANTHROPIC_API_KEY: 'two',
  CODEX_HOME: '/codex',
  GITHUB_TOKEN: 'three',
  PATHOLOGY: 'no',
  CONVENE_TOKEN: 'four',
}

describe('the environment of a coding agent', () => {
  it('[AG1] holds the few common variables, proxies and the preset’s own', () => {
    expect(agentEnvironment({ env, prefixes: ['OPENAI_', 'CODEX_'], added: {} })).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      LANG: 'C.UTF-8',
      TERM: 'xterm',
      https_proxy: 'http://proxy',
      NO_PROXY: 'localhost',
      OPENAI_API_KEY: 'one',
      CODEX_HOME: '/codex',
      CONVENE_DEPTH: '1',
    })
  })

  it('[AG1] holds no provider’s variables without a preset, and what the configuration adds', () => {
    const given = agentEnvironment({ env, prefixes: [], added: { HOME: '/elsewhere', MINE: 'x' } })
    expect(given).toMatchObject({ HOME: '/elsewhere', MINE: 'x' })
    expect(Object.keys(given).filter((name) => /KEY|TOKEN|CODEX/.test(name))).toEqual([])
  })

  it('[AG1] counts the depth, whatever the configuration adds', () => {
    expect(agentEnvironment({ env: { CONVENE_DEPTH: '1' }, prefixes: [], added: {} })).toEqual({ CONVENE_DEPTH: '2' })
    expect(agentEnvironment({ env: {}, prefixes: [], added: { CONVENE_DEPTH: '0' } })).toEqual({ CONVENE_DEPTH: '1' })
  })
})
