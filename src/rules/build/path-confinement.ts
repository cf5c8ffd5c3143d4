/** Decides from its text whether a path stays inside the tree. SPEC.md § VF6. */
import { z } from 'zod'

export type Confinement = { inside: true; path: string } | { inside: false; why: string }

const longestPath = 4096

/** The path without `.` and empty segments, or why it is refused. Any `..` is refused, even one that stays inside. */
export function confinePath(path: string): Confinement {
  if (path.trim() === '') return outside('is empty')
  if (path.length > longestPath) return outside(`is longer than ${longestPath} characters`)
  if (!path.isWellFormed() || hasControlCharacter(path)) return outside('has a character no file name may have')
  if (path.includes('\\')) return outside('has a backslash; segments are divided by /')
  if (path.startsWith('/')) return outside('is absolute')
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.join('').trim() === '') return outside('names no file')
  if (segments.some((segment) => /^[a-z]:/i.test(segment))) return outside('names a drive')
  if (segments.some(leadsUp)) return outside('has a .. segment')
  if (segments.some(isGitFolder)) return outside('leads into a .git folder')
  return { inside: true, path: segments.join('/') }
}

/**
 * The same for a symbolic link at `at` to `target`. A `..` after a name is refused, because the name may itself be a link
 * that leads elsewhere.
 */
export function confineLink(at: string, target: string): Confinement {
  if (target.startsWith('/')) return outside('is absolute')
  const segments = target.split('/').filter((segment) => segment !== '' && segment !== '.')
  const named = segments.findIndex((segment) => segment !== '..')
  const up = named === -1 ? segments.length : named
  const folder = at.split('/').slice(0, -1)
  if (up > folder.length) return outside('leads out of the tree')
  const path = [...folder.slice(0, folder.length - up), ...segments.slice(up)].join('/')
  return path === '' ? { inside: true, path } : confinePath(path)
}

/** A relative path in normal form. */
export const confinedPath = z
  .string()
  .overwrite((path) => {
    const confinement = confinePath(path)
    return confinement.inside ? confinement.path : path
  })
  .superRefine((path, context) => {
    const confinement = confinePath(path)
    if (confinement.inside) return
    const format = 'a relative path that stays inside the tree'
    context.addIssue({ code: 'invalid_format', format, message: `the path ${confinement.why}`, input: path })
  })

/** Whether a path is the given file or below the given folder. Both in normal form. */
export function isWithin(path: string, fileOrFolder: string): boolean {
  return path === fileOrFolder || path.startsWith(`${fileOrFolder}/`)
}

function outside(why: string): Confinement {
  return { inside: false, why }
}

function hasControlCharacter(path: string): boolean {
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

/** Some file systems drop trailing dots and spaces, which turns `.. ` into `..`. */
function leadsUp(segment: string): boolean {
  return /^\.\.[. ]*$/.test(segment)
}

/** Includes spellings that some file systems treat as `.git`: other case, short name, dropped or invisible characters. */
function isGitFolder(segment: string): boolean {
  const visible = segment.replace(/\p{Cf}/gu, '').toLowerCase()
  const [name = ''] = visible.split(':')
  const plain = name.replace(/[. ]+$/, '')
  return plain === '.git' || plain === 'git~1'
}
