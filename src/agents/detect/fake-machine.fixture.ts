/** A fake machine for tests: what is on its PATH, what its programs print, which files it has. */
import type { Machine, RunResult } from './machine.ts'

export interface FakeMachine {
  env?: Record<string, string>
  platform?: string
  nodeVersion?: string
  isRoot?: boolean
  /** Commands on the PATH, with their output for each list of arguments; a single text is the output for all. */
  programs?: Record<string, string | Record<string, RunResult | string>>
  files?: Record<string, string>
  /** The versions of packages that programs belong to. */
  packages?: Record<string, string>
}

export function fakeMachine({
  env = {},
  programs = {},
  files = {},
  packages = {},
  ...facts
}: FakeMachine = {}): Machine {
  return {
    platform: 'linux',
    nodeVersion: '24.1.0',
    isRoot: false,
    ...facts,
    env,
    find: (command) => (Object.hasOwn(programs, command) ? `/bin/${command}` : undefined),
    versionIn: (name) => packages[name],
    run: async (program, args) => {
      const answers = programs[program.replace('/bin/', '')]
      const answer = typeof answers === 'string' ? answers : answers?.[args.join(' ')]
      if (answer === undefined) return { ok: false, reason: 'ended with code 1', output: '' }
      return typeof answer === 'string' ? { ok: true, output: answer } : answer
    },
    read: (path) => files[path],
    exists: (path) => Object.keys(files).some((file) => file === path || file.startsWith(`${path}/`)),
    list: (folder) =>
      Object.keys(files)
        .filter((file) => file.startsWith(`${folder}/`))
        .map((file) => file.slice(folder.length + 1).split('/')[0]!),
  }
}

/** The output of git in a repository with a commit. */
export const workingGit = {
  '--version': 'git version 2.47.1',
  'rev-parse --show-toplevel': '/p\n',
  'rev-parse --verify --quiet HEAD': 'abc\n',
  'var GIT_AUTHOR_IDENT': 'Me <me@example.org> 0 +0000',
}
