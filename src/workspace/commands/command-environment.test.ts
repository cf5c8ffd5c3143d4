import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandEnvironment } from './command-environment.ts'

describe('the environment of commands', () => {
  it('has what tools need', () => {
    const env = {
      HOME: '/home/a',
      LC_ALL: 'C',
      NVM_DIR: '/nvm',
      GOPATH: '/go',
      https_proxy: 'http://a:b@proxy',
      XDG_CACHE_HOME: '/c',
    }
    expect(commandEnvironment(env, [])).toEqual({
      ...env,
      CI: '1',
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      PYTHONDONTWRITEBYTECODE: '1',
    })
  })

  it('has no secret and nothing unknown, unless it is listed', () => {
    const env = {
      GITHUB_TOKEN: 'a',
      ANTHROPIC_API_KEY: 'b',
      CONVENE_TOKEN: 'c',
      SSH_AUTH_SOCK: 'd',
      NODE_OPTIONS: 'e',
      VIRTUAL_ENV: 'f',
    }
    const plain = { CI: '1', NO_COLOR: '1', FORCE_COLOR: '0', PYTHONDONTWRITEBYTECODE: '1' }
    expect(commandEnvironment({ ...env, NVM_TOKEN: 'npm_0123456789abcdefghijklmnop' }, [])).toEqual(plain)
    expect(commandEnvironment(env, ['GITHUB_TOKEN'])).toEqual({ ...plain, GITHUB_TOKEN: 'a' })
  })

  it('has the user’s own path, without the Node that Convene installed for itself', () => {
    const root = resolve(import.meta.dirname, '../../..')
    const path = `${root}/.runtime/node_modules/node/bin:${root}/node_modules/.bin:/usr/bin:/home/a/node_modules/.bin`
    expect(commandEnvironment({ PATH: path }, []).PATH).toBe('/usr/bin:/home/a/node_modules/.bin')
  })
})
