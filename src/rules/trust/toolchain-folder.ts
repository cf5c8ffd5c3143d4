/** TR8: which folder a sandboxed command has to see so that the programs of one folder on the PATH work. */

export interface ProgramFolder {
  /** A folder on the PATH, without links. */
  folder: string
  home?: string
  /** The names beside the folder, in the folder above it. */
  beside: readonly string[]
}

/** Toolchains that keep everything below one folder of the home folder. */
const inHome = [
  '.pyenv',
  '.nvm',
  '.fnm',
  '.local/share/fnm',
  '.volta',
  '.asdf',
  '.local/share/mise',
  '.rbenv',
  '.ghcup',
  '.sdkman',
  '.bun',
  '.deno',
  '.juliaup',
  '.local/share/pnpm',
]

/** Programs here need folders elsewhere in the home folder. */
const withMore: Record<string, readonly string[]> = {
  '.cargo/bin': ['.cargo/bin', '.rustup'],
  '.local/bin': ['.local/bin', '.local/share/uv', '.local/share/pipx', '.local/pipx', '.local/lib'],
}

/** What stands beside `bin` in an installation. */
const installed = ['lib', 'lib64', 'libexec', 'pyvenv.cfg', 'conda-meta']

/** Programs of a project's own packages: each worktree has its own, and they are links into the user's checkout. */
export function isOfProject(folder: string): boolean {
  return /(?:^|\/)node_modules\/\.bin$/.test(folder)
}

/** Never more than an installation: a folder that holds a repository, or the home folder itself, is not one. */
export function toolchainFolders({ folder, home, beside }: ProgramFolder): string[] {
  const fromHome = home === undefined || !folder.startsWith(`${home}/`) ? undefined : folder.slice(home.length + 1)
  if (fromHome !== undefined) {
    const more = withMore[fromHome]
    if (more) return more.map((path) => `${home}/${path}`)
    const known = inHome.find((path) => fromHome === path || fromHome.startsWith(`${path}/`))
    if (known) return [`${home}/${known}`]
  }
  const [above = '', name = ''] = [folder.slice(0, folder.lastIndexOf('/')), folder.slice(folder.lastIndexOf('/') + 1)]
  const isInstallation =
    (name === 'bin' || name === 'sbin' || name === 'shims') &&
    above !== '' &&
    !(home === above || home?.startsWith(`${above}/`)) &&
    !beside.includes('.git') &&
    beside.some((one) => installed.includes(one))
  return [isInstallation ? above : folder]
}
