import { describe, expect, it } from 'vitest'
import { surroundingsFault, type ThrownError } from './surroundings-fault.ts'

const kindOf = (error: Partial<ThrownError>) => surroundingsFault({ message: '', ...error })?.kind

describe('faults of the surroundings', () => {
  it('[TR10] are known by the codes of the system and of Convene', () => {
    expect(kindOf({ code: 'ENOSPC', syscall: 'write' })).toBe('disk-full')
    expect(kindOf({ code: 'EMFILE', syscall: 'open' })).toBe('too-many-files')
    expect(kindOf({ code: 'ENOENT', syscall: 'scandir' })).toBe('missing')
    expect(kindOf({ code: 'EIO', syscall: 'read' })).toBe('unreadable')
    expect(kindOf({ code: 'folder_missing' })).toBe('missing')
    expect(kindOf({ code: 'payload_missing' })).toBe('missing')
    expect(kindOf({ code: 'disk_full' })).toBe('disk-full')
    expect(kindOf({ code: 'sandbox_unavailable' })).toBe('sandbox')
    expect(kindOf({ code: 'git_missing' })).toBe('program')
    expect(kindOf({ code: 'git_busy' })).toBe('locked')
    expect(kindOf({ code: 'ENOTDIR', syscall: 'mkdir' })).toBe('unreadable')
  })

  it('[TR10] are known by what git says about its files', () => {
    const git = (complaint: string) => kindOf({ code: 'git_failed', complaint })
    expect(git('error: unable to write file src/a.js\nfatal: No space left on device')).toBe('disk-full')
    expect(git("fatal: not a git repository: '/x/.git/worktrees/1'")).toBe('missing')
    expect(git('error: unable to create file package.json: No such file or directory')).toBe('missing')
    expect(git('error: object file .git/objects/ab/cd is empty')).toBe('git')
    expect(git('error: open("a"): Input/output error')).toBe('unreadable')
    expect(git("fatal: Unable to create '/x/.git/index.lock': File exists.")).toBe('locked')
    expect(git("error: cannot lock ref 'refs/heads/a': is at 1 but expected 2")).toBeUndefined()
    expect(kindOf({ code: 'git_not_started', message: 'git cannot be started in /x: spawn git ENOENT' })).toBe(
      'missing',
    )
    expect(kindOf({ code: 'git_not_started', message: 'git cannot be started in /x: spawn git EMFILE' })).toBe(
      'too-many-files',
    )
  })

  it('[TR10] name what to repair', () => {
    expect(surroundingsFault({ code: 'not_a_repository', message: '' })?.repair).toContain('Put the repository back')
    expect(surroundingsFault({ code: 'ENOSPC', syscall: 'write', message: '' })?.repair).toContain('Free some space')
  })

  it('[TR10] are nothing else: no refusal, no conflict, no fault of a library or of Convene itself', () => {
    expect(kindOf({ code: 'git_failed', complaint: 'error: merge conflict in a.txt' })).toBeUndefined()
    expect(kindOf({ code: 'setup_failed', message: 'No space left on device' })).toBeUndefined()
    expect(kindOf({ code: 'ENOENT' })).toBeUndefined()
    expect(kindOf({ code: 'ECONNREFUSED', syscall: 'connect' })).toBeUndefined()
    expect(kindOf({ message: 'Cannot read properties of undefined' })).toBeUndefined()
  })
})
