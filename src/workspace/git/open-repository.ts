/** Finds the repository that contains a folder, or explains what is missing and how to fix it. */
import { realpath, stat } from 'node:fs/promises'
import { ConveneError } from '../../kernel/errors.ts'
import { forbidPrograms, programSettings } from './foreign-programs.ts'
import { GitFailed, runGit } from './git.ts'

export interface RepositoryPlace {
  root: string
  gitFolder: string
  prefix: string
}

export async function findRepository(folder: string): Promise<RepositoryPlace> {
  const place = await stat(folder).catch(() => null)
  if (!place?.isDirectory()) throw new ConveneError('no_folder', `there is no folder ${folder}`)
  const args = [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-common-dir',
    '--show-prefix',
    'HEAD^{commit}',
  ]
  const programs = ['config', '--name-only', '-z', '--get-regexp', programSettings]
  const [answer, configured, version] = await Promise.all([
    runGit(args, { folder }),
    runGit(programs, { folder }),
    runGit(['--version'], { folder }).then(({ output }) => output.toString('utf8')),
  ])
  if (isOlder(version, oldest))
    throw new ConveneError('git_too_old', `Convene needs git ${oldest.join('.')} or newer; this is ${version.trim()}`, {
      expected: `git ${oldest.join('.')}`,
    })
  if (answer.code !== 0) throw explain(folder, answer.complaint) ?? new GitFailed(args, folder, answer)
  forbidPrograms(configured.output.toString('utf8').split('\0').filter(Boolean))
  const [root = '', gitFolder = '', prefix = ''] = answer.output.toString('utf8').split('\n')
  return { root: await realpath(root), gitFolder: await realpath(gitFolder), prefix }
}

/** Git 2.38 introduced merges without a worktree. */
const oldest = [2, 38] as const

export function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const found = /(\d+)\.(\d+)/.exec(version)
  if (!found) return false
  const [ownMajor, ownMinor] = [Number(found[1]), Number(found[2])]
  return ownMajor < major || (ownMajor === major && ownMinor < minor)
}

export function notARepository(folder: string): ConveneError {
  return new ConveneError('not_a_repository', `${folder} is not in a git repository; \`git init\` makes one`, {
    expected: 'git init',
  })
}

/** Git's English messages: it runs with LC_ALL=C. */
function explain(folder: string, complaint: string): ConveneError | null {
  if (complaint.includes('dubious ownership'))
    return new ConveneError('not_trusted', `git does not trust ${folder}, which belongs to another user`, {
      expected: `git config --global --add safe.directory "${folder}"`,
    })
  if (complaint.includes('not a git repository')) return notARepository(folder)
  if (complaint.includes('must be run in a work tree'))
    return new ConveneError('bare_repository', `${folder} is a bare repository, or lies inside a .git folder`, {
      expected: 'a folder with a checkout (git worktree add <folder> <branch>)',
    })
  if (complaint.includes('HEAD^{commit}'))
    return new ConveneError('no_commit', `the repository of ${folder} has no commit yet; make one first`, {
      expected: 'git add -A && git commit -m "Start"',
    })
  return null
}
