/** The package as people install it. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../scripts/bundle.ts'

const root = join(import.meta.dirname, '..')

/** What `npm pack` would put into the package, without touching the checkout. */
export async function ship(folder: string): Promise<string> {
  const shipped = join(folder, 'package')
  mkdirSync(shipped)
  await bundle(join(shipped, 'dist'))
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
  for (const name of [...files.filter((each) => each !== 'dist'), 'package.json'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(shipped, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(shipped, 'node_modules'))
  return shipped
}
