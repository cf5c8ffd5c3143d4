import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandEnvironment } from './command-environment.ts'

const root = resolve(import.meta.dirname, '../../..')
const always = {
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  COREPACK_INTEGRITY_KEYS: '0',
  pnpm_config_verify_deps_before_run: 'false',
}

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
    expect(commandEnvironment(env, [])).toEqual({ ...env, ...always })
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
    expect(commandEnvironment({ ...env, NVM_TOKEN: 'npm_0123456789abcdefghijklmnop' }, [])).toEqual(always)
    expect(commandEnvironment(env, ['GITHUB_TOKEN'])).toEqual({ ...always, GITHUB_TOKEN: 'a' })
  })

  it('leaves to the user what is listed, set or not: the tests of a library for colours want them', () => {
    const { NO_COLOR: _, FORCE_COLOR: __, ...others } = always
    expect(commandEnvironment({ FORCE_COLOR: '1' }, ['FORCE_COLOR', 'NO_COLOR'])).toEqual({
      ...others,
      FORCE_COLOR: '1',
    })
  })

  it('has the user’s own path, without the Node that Convene installed for itself', () => {
    const path = `${root}/.runtime/node_modules/node/bin:${root}/node_modules/.bin:/usr/bin:/home/a/node_modules/.bin`
    expect(commandEnvironment({ PATH: path }, []).PATH).toBe(
      `/usr/bin:/home/a/node_modules/.bin:${root}/hooks/package-managers`,
    )
  })

  it.each(['pnpm', 'yarn'])('lets scripts call %s by name where only corepack can start it', (manager) => {
    const folder = mkdtempSync(join(tmpdir(), 'convene-path-'))
    writeFileSync(join(folder, 'corepack'), '#!/bin/sh\necho corepack "$@"\n', { mode: 0o755 })
    const env = commandEnvironment({ PATH: `${folder}:/bin` }, [])
    expect(execFileSync('/bin/sh', ['-c', `${manager} run lint`], { env, encoding: 'utf8' })).toBe(
      `corepack ${manager} run lint\n`,
    )
    rmSync(folder, { recursive: true })
  })
})
