/** The folder of Convene's own package.json: the checkout, or the installed package. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const packageRoot = rootAbove(import.meta.dirname)

/** The depth differs: sources lie in folders, the shipped bundle lies flat in `dist/`. */
function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder))
}
