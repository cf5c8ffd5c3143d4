import { describe, expect, it } from 'vitest'
import { defaultLimits } from './limits.ts'
import { beyondWorkSize, byProducts, cacheFolders, installedFolder, strayInstalls } from './work-size.ts'

describe('the size of work', () => {
  it('[TR11] has limits on files and bytes, and names what exceeds them', () => {
    expect(beyondWorkSize({ files: 500, bytes: 5_000_000 }, defaultLimits)).toBeNull()
    expect(beyondWorkSize({ files: 501, bytes: 0 }, defaultLimits)).toBe('501 files (build.limits.files: 500)')
    expect(beyondWorkSize({ files: 501, bytes: 120_000_000 }, defaultLimits)).toContain('120000000 bytes')
  })

  it.each([
    ['node_modules/a/index.js', 'node_modules'],
    ['packages/b/node_modules/a.js', 'packages/b/node_modules'],
    ['venv/bin/python', 'venv'],
    ['.venv/lib/site-packages/a.py', '.venv'],
  ])('[TR11] %s lies in an installed folder', (path, folder) => {
    expect(installedFolder(path)).toBe(folder)
  })

  it('[TR11] drops what tools leave by the way, unless the project has it', () => {
    const added = ['src/__pycache__/a.pyc', '.pytest_cache/README.md', 'b.pyc', '.coverage', 'src/a.py', 'coverage.py']
    expect(byProducts(added, () => false)).toEqual(added.slice(0, 4))
    expect(byProducts(added, (folder) => folder === '.pytest_cache')).not.toContain('.pytest_cache/README.md')
    expect(cacheFolders(added)).toEqual(['src/__pycache__', '.pytest_cache'])
    expect(installedFolder('src/__pycache__/a.pyc')).toBeNull()
  })

  it('[TR11] lets names pass that only look like one, and folders that the project has', () => {
    for (const path of ['node_modules', 'src/venv.ts', 'vendor/github.com/a/b.go', 'test/fixtures/data.bin'])
      expect(installedFolder(path)).toBeNull()
    expect(strayInstalls(['node_modules/a.js', 'venv/b'], (folder) => folder === 'node_modules')).toEqual(
      new Map([['venv', ['venv/b']]]),
    )
  })
})
