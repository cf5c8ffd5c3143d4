import { describe, expect, it } from 'vitest'
import { bubblewrapArguments } from './bubblewrap.ts'
import { findSandbox } from './sandbox.ts'
import { sandboxProfile } from './sandbox-exec.ts'

const hidden = { folders: ['/opt/tool/.convene'], files: ['/opt/tool/.netrc'] }

describe('bubblewrap', () => {
  const slot = '/home/a/.cache/slot'
  const list = (network: boolean, isRoot = false) =>
    bubblewrapArguments({
      system: ['--ro-bind', '/usr', '/usr'],
      mounts: [
        { from: slot, at: slot, isWritable: true },
        { from: '/opt/tool', at: '/opt/tool', isWritable: false },
        { from: '/own/0', at: '/home/a/repo/.git/config', isWritable: false },
      ],
      hidden,
      home: { from: '/own/home', at: '/home/a' },
      temporary: '/own/tmp',
      folder: slot,
      network,
      isRoot,
    }).join(' ')

  it('[TR8] starts from nothing and mounts each folder before what is inside it', () => {
    const text = list(false)
    const order = [
      '--ro-bind /usr /usr',
      '--bind /own/tmp /tmp',
      '--bind /own/home /home/a',
      '--ro-bind /opt/tool /opt/tool',
      '--tmpfs /opt/tool/.convene',
      '--ro-bind /dev/null /opt/tool/.netrc',
      `--bind ${slot} ${slot}`,
      '--ro-bind /own/0 /home/a/repo/.git/config',
      '--remount-ro /',
    ].map((part) => text.indexOf(part))
    expect(order.every((index) => index >= 0)).toBe(true)
    expect(text).not.toContain('--ro-bind / /')
    expect(text.indexOf('--bind /own/home')).toBeLessThan(text.indexOf(`--bind ${slot}`))
    expect(text.indexOf('--ro-bind /opt/tool ')).toBeLessThan(text.indexOf('--tmpfs /opt/tool/.convene'))
    expect(text.lastIndexOf('--remount-ro /')).toBeGreaterThan(text.indexOf('.git/config'))
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
  const profile = (network: boolean) =>
    sandboxProfile({
      private: ['/Users', '/Users/a'],
      readable: ['/Users/a/.pyenv'],
      hidden,
      writable: ['/Users/a/"slot"'],
      network,
    }).split('\n')

  it('[TR8] denies first and allows last, and quotes paths', () => {
    const at = (part: string) => profile(false).findIndex((line) => line.includes(part))
    expect(at('(deny file-write*)')).toBeGreaterThan(at('(allow default)'))
    expect(at('(deny file-read* (subpath "/Users")')).toBeGreaterThan(at('(deny file-write*)'))
    expect(at('(allow file-read* (subpath "/Users/a/.pyenv"))')).toBeGreaterThan(at('(subpath "/Users")'))
    expect(at('(subpath "/opt/tool/.convene")')).toBeGreaterThan(at('.pyenv'))
    expect(at('(allow file-read* file-write* (subpath "/Users/a/\\"slot\\""))')).toBeGreaterThan(at('.convene'))
    expect(at('(deny network*)')).toBeGreaterThan(0)
    expect(profile(true)).not.toContain('(deny network*)')
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
