import { describe, expect, it } from 'vitest'
import { isTransientPushFailure } from './push-failure.ts'

describe('a failed push', () => {
  it.each([
    "fatal: unable to access 'https://github.com/acme/shop.git/': Could not resolve host: github.com",
    "fatal: unable to access 'https://github.com/acme/shop.git/': Failed to connect to github.com port 443",
    "fatal: unable to access 'https://github.com/acme/shop.git/': The requested URL returned error: 503",
    'error: RPC failed; HTTP 502 curl 22\nfatal: the remote end hung up unexpectedly',
    'ssh: connect to host github.com port 22: Connection timed out\nfatal: Could not read from remote repository.',
    ' ! [remote rejected] convene/shop/main -> convene/shop/main (Internal Server Error)',
  ])('[GH3] is tried again after: %s', (output) => expect(isTransientPushFailure(output)).toBe(true))

  it.each([
    ' ! [rejected] convene/shop/main -> convene/shop/main (non-fast-forward)',
    'git@github.com: Permission denied (publickey).\nConnection closed by 140.82.121.4 port 22',
    "fatal: Authentication failed for 'https://github.com/acme/shop.git/'",
    "fatal: unable to access 'https://github.com/acme/shop.git/': The requested URL returned error: 403",
    'remote: Repository not found.',
    '',
  ])('[GH3] is not tried again after: %s', (output) => expect(isTransientPushFailure(output)).toBe(false))
})
