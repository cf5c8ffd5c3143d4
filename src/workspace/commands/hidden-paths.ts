/** Paths hidden from sandboxed commands even inside what they may see: credentials, and sockets that lead out. */
import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface HiddenPaths {
  folders: string[]
  files: string[]
}

const inHome = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.docker',
  '.kube',
  '.password-store',
  '.netrc',
  '.git-credentials',
  '.pypirc',
  '.gem/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.terraform.d/credentials.tfrc.json',
  '.config/gh',
  '.config/gcloud',
  '.config/git/credentials',
  '.config/op',
  '.local/share/keyrings',
  '.local/share/opencode/auth.json',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
]

/** Access to these sockets allows starting programs outside the sandbox. */
const services = [
  '/run/user',
  '/run/dbus',
  '/run/docker.sock',
  '/run/podman',
  '/run/containerd',
  '/var/run/docker.sock',
  '/var/lib/docker',
]

/** Only those that `isShown`; without it all. */
export function hiddenPaths(
  home: string | undefined,
  others: readonly string[],
  isShown: (path: string) => boolean = () => true,
): HiddenPaths {
  const wanted = [...(home ? inHome.map((path) => join(home, path)) : []), ...services, ...others].filter(isShown)
  const folders = new Set<string>()
  const files = new Set<string>()
  for (const path of wanted) {
    // Hide the target of a link: nothing can be mounted on the link itself.
    const found = realPathOf(path)
    if (!found || found === '/' || !isShown(found)) continue
    const isFolder = statSync(found, { throwIfNoEntry: false })?.isDirectory()
    if (isFolder !== undefined) (isFolder ? folders : files).add(found)
  }
  return { folders: [...folders], files: [...files] }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
