import { describe, expect, it } from 'vitest'
import { topmost } from '../worktrees/slot-worktree.ts'
import { defaultFolder } from '../worktrees/worktrees.ts'
import { GitFailed, gitEnvironment } from './git.ts'
import { isOlder } from './open-repository.ts'
import { isPassing } from './patient-git.ts'

describe('git', () => {
  it('runs in the user’s environment without variables that redirect it', () => {
    const env = gitEnvironment({
      PATH: '/bin',
      GIT_DIR: '/x',
      GIT_INDEX_FILE: '/y',
      GIT_SSH_COMMAND: 'ssh',
      LC_ALL: 'de_DE',
    })
    expect(env).toEqual({
      PATH: '/bin',
      GIT_SSH_COMMAND: 'ssh',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      LC_ALL: 'C',
    })
  })

  it('says what failed, where and why', () => {
    const error = new GitFailed(['checkout', '--force', 'a', 'b', 'c', 'd', 'e'], '/slot', {
      code: 128,
      complaint: 'fatal: no\n',
    })
    expect(error).toMatchObject({
      code: 'git_failed',
      what: 'git checkout --force a b c d …',
      where: '/slot',
      complaint: 'fatal: no',
    })
    expect(error.message).toBe('git checkout --force a b c d … failed in /slot (exit code 128): fatal: no')
  })

  it('is too old before 2.38', () => {
    expect(['git version 2.37.9', 'git version 1.9.1'].map((version) => isOlder(version, [2, 38]))).toEqual([
      true,
      true,
    ])
    const newer = ['git version 2.38.0', 'git version 2.39.5 (Apple Git-154)', 'git version 3.0.0', 'odd']
    expect(newer.map((version) => isOlder(version, [2, 38]))).toEqual([false, false, false, false])
  })
})

describe('a transient failure', () => {
  it('is only a held lock or a worktree that is being added', () => {
    const passing = [
      "fatal: Unable to create '/r/.git/refs/heads/x.lock': File exists.",
      'error: could not lock config file .git/config: File exists',
      'fatal: failed to read .git/worktrees/4/commondir: Success',
      "fatal: could not create directory of '.git/worktrees/1': File exists",
    ]
    expect(passing.map(isPassing)).toEqual([true, true, true, true])
    const lasting = ['fatal: invalid reference: x', "error: cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists"]
    expect(lasting.map(isPassing)).toEqual([false, false])
  })
})

describe('worktrees', () => {
  it("are in the user's cache folder", () => {
    expect(defaultFolder({ XDG_CACHE_HOME: '/c' }, 'darwin', '/h')).toBe('/c/convene/worktrees')
    expect(defaultFolder({}, 'linux', '/h')).toBe('/h/.cache/convene/worktrees')
    expect(defaultFolder({}, 'darwin', '/h')).toBe('/h/Library/Caches/convene/worktrees')
  })

  it('list untracked paths without those below others', () => {
    expect(topmost(['a/b', 'a', 'a-b', 'c/d'])).toEqual(['a', 'a-b', 'c/d'])
  })
})
