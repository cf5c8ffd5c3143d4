import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputError } from '../schema/rule.ts'
import { confinedPath, confineLink, confinePath, isWithin } from './path-confinement.ts'

describe('path confinement', () => {
  it.each([
    ['src/parser.ts', 'src/parser.ts'],
    ['./src//parser.ts', 'src/parser.ts'],
    ['tests/', 'tests'],
    ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
    ['.gitignore', '.gitignore'],
    ['src/..parser/a...b.ts', 'src/..parser/a...b.ts'],
    ['src/größe.ts', 'src/größe.ts'],
    ['src/git/config', 'src/git/config'],
  ])('[VF6] %s stays inside', (path, plain) => {
    expect(confinePath(path)).toEqual({ inside: true, path: plain })
  })

  it.each([
    [''],
    ['  '],
    ['.'],
    ['..'],
    ['./'],
    ['../secrets'],
    ['src/../../secrets'],
    ['src/../lib/a.ts'],
    ['src/.. /a'],
    ['/etc/passwd'],
    ['//server/share'],
    ['C:/windows'],
    ['c:windows'],
    ['./C:/windows'],
    ['src\\a.ts'],
    ['..\\a'],
    ['a\0b'],
    ['a\nb'],
    ['a\ud800b'],
    ['.git/config'],
    ['sub/.git/hooks/pre-commit'],
    ['.GIT/config'],
    ['.git./config'],
    ['.git /config'],
    ['git~1/config'],
    ['.g\u200cit/config'],
    ['.git::$INDEX_ALLOCATION/config'],
    [`${'a/'.repeat(2048)}b`],
  ])('[VF6] %j is refused', (path) => {
    expect(confinePath(path)).toMatchObject({ inside: false, why: expect.any(String) })
  })

  it.each([
    ['link', 'src/a.ts', 'src/a.ts'],
    ['src/link', '../lib/a.ts', 'lib/a.ts'],
    ['src/deep/link', '../..', ''],
    ['link', '.', ''],
  ])('[VF6] a link at %s to %s stays inside', (at, target, path) => {
    expect(confineLink(at, target)).toEqual({ inside: true, path })
  })

  it.each([
    ['link', '/etc/passwd'],
    ['link', '..'],
    ['src/link', '../../elsewhere'],
    ['link', '.git/config'],
    ['src/link', '../.git'],
    // Where `up` is a link to the top, this is a neighbour of the tree.
    ['link', 'src/up/../elsewhere'],
  ])('[VF6] a link at %s to %s is refused', (at, target) => {
    expect(confineLink(at, target)).toMatchObject({ inside: false, why: expect.any(String) })
  })

  it('[VF6] as a schema it gives the plain form, or says what is expected', () => {
    expect(confinedPath.parse('./a')).toBe('a')
    const error = inputError(confinedPath.safeParse('../a').error!)
    expect(error).toMatchObject({ expected: expect.stringMatching(/inside/), message: expect.stringMatching(/\.\./) })
  })

  it('[VF6] refuses a path of blanks behind a dot', () => {
    expect(confinePath('./ ')).toEqual({ inside: false, why: 'names no file' })
  })

  it('[VF6] what is let through never leaves its folder, however it is spelled', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', '.git', 'a', '/', '\\', 'C:', '...', '. .'), fc.string())
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const confinement = confinePath(parts.join('/'))
        if (!confinement.inside) return
        const url = new URL(confinement.path.split('/').map(encodeURIComponent).join('/'), 'file:///tree/')
        expect(url.pathname.startsWith('/tree/')).toBe(true)
        expect(confinePath(confinement.path)).toEqual(confinement)
      }),
    )
  })

  it('[VF6] a folder holds what is below it, not what begins like it', () => {
    expect(isWithin('test/a.ts', 'test')).toBe(true)
    expect(isWithin('test', 'test')).toBe(true)
    expect(isWithin('tests/a.ts', 'test')).toBe(false)
  })
})
