import { describe, expect, it } from 'vitest'
import { bubblewrapArguments } from './bubblewrap.ts'
import { findSandbox } from './sandbox.ts'
import { sandboxProfile } from './sandbox-exec.ts'

const hidden = {
  folders: ['/home/a/.ssh', '/home/a/work/slot/.convene'],
  files: ['/home/a/.netrc'],
  redacted: [{ path: '/home/a/.npmrc', text: 'registry=x' }],
}

describe('bubblewrap', () => {
  const list = (network: boolean, isRoot = false) =>
    bubblewrapArguments({
      writable: ['/home/a/work/slot'],
      readable: ['/tmp/bin', '/usr/bin', '/tmp'],
      hidden,
      redactedFolder: '/own',
      temporary: '/own/tmp',
      folder: '/home/a/work/slot',
      network,
      isRoot,
    }).list.join(' ')

  it('mounts writable folders over read-only ones, and hides paths inside them afterwards', () => {
    const text = list(false)
    const order = [
      '--ro-bind / /',
      '--bind /own/tmp /tmp',
      '--ro-bind /tmp/bin /tmp/bin',
      '--tmpfs /home/a/.ssh',
      '--ro-bind /dev/null /home/a/.netrc',
      '--ro-bind /own/0 /home/a/.npmrc',
      '--bind /home/a/work/slot /home/a/work/slot',
      '--tmpfs /home/a/work/slot/.convene',
    ].map((part) => text.indexOf(part))
    expect(order.every((index) => index >= 0)).toBe(true)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  it('shows only named paths below the temporary folder', () => {
    expect(list(false)).not.toContain('--ro-bind /usr/bin')
    expect(list(false)).not.toContain('--ro-bind /tmp /tmp')
  })

  it('always separates processes, and the network unless it is allowed', () => {
    for (const network of [true, false]) expect(list(network)).toContain('--unshare-pid')
    expect(list(false)).toContain('--unshare-net')
    expect(list(true)).not.toContain('--unshare-net')
    expect(list(true)).toContain('--die-with-parent')
  })

  it('drops root’s capabilities except those for files', () => {
    expect(list(false, true)).toContain('--cap-drop ALL')
    expect(list(false, true)).not.toContain('SYS_ADMIN')
  })
})

describe('sandbox-exec', () => {
  it('denies first and allows last, and quotes paths', () => {
    const profile = sandboxProfile({ writable: ['/Users/a/"slot"'], hidden, network: false }).split('\n')
    const at = (part: string) => profile.findIndex((line) => line.includes(part))
    expect(at('(deny file-write*)')).toBeGreaterThan(at('(allow default)'))
    expect(at('(subpath "/home/a/.ssh")')).toBeGreaterThan(at('(deny file-write*)'))
    expect(at('(allow file-read* file-write* (subpath "/Users/a/\\"slot\\""))')).toBeGreaterThan(at('.ssh'))
    expect(at('(deny network*)')).toBeGreaterThan(0)
    expect(sandboxProfile({ writable: [], hidden, network: true })).not.toContain('(deny network*)')
  })
})

describe('finding a sandbox', () => {
  it('explains why there is none and how to get one', async () => {
    expect(await findSandbox({ env: { PATH: '/nowhere' }, hide: [], platform: 'linux' })).toEqual({
      available: false,
      why: 'bubblewrap is not installed',
      fix: 'Install it: apt-get install bubblewrap',
    })
    expect(await findSandbox({ env: {}, hide: [], platform: 'win32' })).toMatchObject({ available: false })
  })
})
