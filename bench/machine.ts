/** The machine of a measurement, as far as a reader needs it; never its name or its paths. */
import { statfsSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'

export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores, ${memory} GiB memory, ${process.platform}, databases on ${fileSystem()}, Node ${process.version}`
}

/** In memory, a commit costs nothing: such a figure says little about a disk. */
function fileSystem(): string {
  const known: Record<number, string> = {
    61267: 'ext4',
    16914836: 'tmpfs (in memory)',
    2435016766: 'btrfs',
    1481003842: 'xfs',
    801189825: 'zfs',
    2035054128: 'overlayfs',
  }
  return known[statfsSync(tmpdir()).type] ?? 'another file system'
}
