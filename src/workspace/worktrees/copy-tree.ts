/** Copies a file, link or folder; uses copy-on-write if the file system supports it. */
import { spawn } from 'node:child_process'
import { constants, cp } from 'node:fs/promises'
import { removeTree } from '../remove-tree.ts'

/** Uses the system's `cp`, which is ten times faster for many small files. The target must not exist. */
export async function copyTree(from: string, to: string): Promise<void> {
  const options = copyOptions[process.platform]
  if (options && (await runs('cp', [...options, '--', from, to]))) return
  await removeTree(to)
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
  })
}

const copyOptions: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['-a', '--reflink=auto', '--no-target-directory'],
  darwin: ['-Rpc'],
}

function runs(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}
