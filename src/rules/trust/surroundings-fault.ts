/** TR10: faults of the machine, which no agent's work caused: what happened, and what a person can repair. */

export interface ThrownError {
  /** A code of the system (`ENOSPC`) or of Convene (`payload_missing`). */
  code?: string
  message: string
  /** What git wrote to its standard error. */
  complaint?: string
  /** Set by errors of the system. */
  syscall?: string
}

export interface SurroundingsFault {
  kind:
    | 'disk-full'
    | 'too-many-files'
    | 'missing'
    | 'unreadable'
    | 'repository'
    | 'git'
    | 'locked'
    | 'program'
    | 'sandbox'
  /** What to do before the work can go on. */
  repair: string
}

const repairs: Record<SurroundingsFault['kind'], string> = {
  'disk-full': 'Free some space on the disk',
  'too-many-files': 'Close other programs, or raise the limit on open files and processes (ulimit -n, ulimit -u)',
  missing: 'Put back what was removed, if Convene did not make it; its own worktrees are made again',
  unreadable: 'Check the disk, that nothing else is in the way, and that this user may read and write there',
  repository: 'Put the repository back, or make one (git init, and a first commit)',
  locked: 'End the git command that works in this repository, or remove the lock file it left',
  git: 'Check the repository with: git fsck',
  program: 'Install git again, or put it on the PATH',
  sandbox: 'Make the sandbox work again (convene doctor)',
}

const kinds: Record<string, SurroundingsFault['kind']> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  disk_full: 'disk-full',
  EMFILE: 'too-many-files',
  ENFILE: 'too-many-files',
  EAGAIN: 'too-many-files',
  ENOMEM: 'too-many-files',
  ENOENT: 'missing',
  folder_missing: 'missing',
  payload_missing: 'missing',
  payload_damaged: 'missing',
  no_folder: 'missing',
  // Git itself is there, so the folder it was to run in is not.
  git_not_started: 'missing',
  EIO: 'unreadable',
  EROFS: 'unreadable',
  EACCES: 'unreadable',
  EPERM: 'unreadable',
  ENXIO: 'unreadable',
  EEXIST: 'unreadable',
  EISDIR: 'unreadable',
  ENOTDIR: 'unreadable',
  ENOTEMPTY: 'unreadable',
  ELOOP: 'unreadable',
  disk_error: 'unreadable',
  not_writable: 'unreadable',
  git_missing: 'program',
  not_a_repository: 'repository',
  git_busy: 'locked',
  sandbox_unavailable: 'sandbox',
}

/** Git runs with LC_ALL=C; these are the words of the system and of git about its own files. */
const complaints: [RegExp, SurroundingsFault['kind']][] = [
  [/No space left on device|Disk quota exceeded/, 'disk-full'],
  [
    /\bE(?:MFILE|NFILE|AGAIN|NOMEM)\b|Too many open files|Cannot allocate memory|Resource temporarily unavailable/,
    'too-many-files',
  ],
  [/\.lock': File exists|Another git process seems to be running/, 'locked'],
  [/Input\/output error|Read-only file system|Permission denied|Stale file handle/, 'unreadable'],
  [/not a git repository|unable to read current working directory|cannot chdir|Unable to read current/, 'missing'],
  // The folder was removed while git filled it.
  [/unable to create file .*: No such file or directory/, 'missing'],
  [
    /invalid object|bad object|object file .* is empty|loose object .* is corrupt|unable to (?:read|find|write)|missing blob|could not read/i,
    'git',
  ],
]

/** Null if the error is nothing that the surroundings caused. */
export function surroundingsFault({ code, message, complaint, syscall }: ThrownError): SurroundingsFault | null {
  const kind = kindOf(code, complaint ?? '', message, syscall)
  return kind === undefined ? null : { kind, repair: repairs[kind] }
}

function kindOf(
  code: string | undefined,
  complaint: string,
  message: string,
  syscall: string | undefined,
): SurroundingsFault['kind'] | undefined {
  // Codes of the system count only on its own errors: other libraries use the same words.
  const isSystemCode = code !== undefined && /^E[A-Z]+$/.test(code)
  const known = code === undefined || (isSystemCode && syscall === undefined) ? undefined : kinds[code]
  if (code !== 'git_failed' && code !== 'git_not_started') return known
  return complaints.find(([words]) => words.test(complaint || message))?.[1] ?? known
}
