import { describe, expect, it } from 'vitest'
import { isOfProject, toolchainFolders } from './toolchain-folder.ts'

const home = '/home/ada'
const shown = (folder: string, beside: string[] = []) => toolchainFolders({ folder, home, beside })

describe('the toolchain of a folder on the PATH', () => {
  it('[TR8] is all of a known toolchain in the home folder', () => {
    expect(shown('/home/ada/.pyenv/shims')).toEqual(['/home/ada/.pyenv'])
    expect(shown('/home/ada/.nvm/versions/node/v24.1.0/bin')).toEqual(['/home/ada/.nvm'])
    expect(shown('/home/ada/.local/share/pnpm')).toEqual(['/home/ada/.local/share/pnpm'])
  })

  it('[TR8] leaves out what holds credentials beside the programs', () => {
    expect(shown('/home/ada/.cargo/bin', ['credentials.toml', 'registry'])).toEqual([
      '/home/ada/.cargo/bin',
      '/home/ada/.rustup',
    ])
    expect(shown('/home/ada/go/bin', ['bin', 'pkg'])).toEqual(['/home/ada/go/bin'])
    expect(shown('/home/ada/.docker/bin', ['config.json'])).toEqual(['/home/ada/.docker/bin'])
  })

  it('[TR8] is the installation around bin, never the home folder or a repository', () => {
    expect(shown('/data/node/bin', ['lib', 'share'])).toEqual(['/data/node'])
    expect(shown('/home/ada/miniconda3/bin', ['conda-meta', 'lib'])).toEqual(['/home/ada/miniconda3'])
    expect(shown('/home/ada/project/.venv/bin', ['pyvenv.cfg', 'lib'])).toEqual(['/home/ada/project/.venv'])
    expect(shown('/home/ada/bin', ['lib', 'notes'])).toEqual(['/home/ada/bin'])
    expect(shown('/home/bin', ['ada', 'lib'])).toEqual(['/home/bin'])
    expect(shown('/home/ada/project/bin', ['.git', 'lib'])).toEqual(['/home/ada/project/bin'])
    expect(isOfProject('/home/ada/project/node_modules/.bin')).toBe(true)
    expect(isOfProject('/home/ada/project/node_modules/node/bin')).toBe(false)
    expect(toolchainFolders({ folder: '/bin', beside: ['lib', 'etc'] })).toEqual(['/bin'])
  })
})
