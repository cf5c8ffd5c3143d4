/** Checks a user's checkout repeatedly while something else runs: nothing in it may ever change. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Every file with its bytes, mode and time, the index, and HEAD; without Convene's own folder. */
export function checkoutHash(folder: string): string {
  const hash = createHash('sha256')
  for (const name of filesOf(folder)) {
    const path = join(folder, name)
    const status = lstatSync(path)
    hash.update(`${name} ${status.mode} ${status.isFile() ? status.mtimeMs : ''}\0`)
    if (status.isSymbolicLink()) hash.update(readlinkSync(path))
    if (status.isFile()) hash.update(readFileSync(path))
  }
  for (const name of ['index', 'HEAD', 'refs/heads/main']) hash.update(readFileSync(join(folder, '.git', name)))
  return hash.digest('hex')
}

/** Skips folders that others change meanwhile. */
function filesOf(folder: string): string[] {
  const own = readdirSync(folder).filter((name) => name !== '.git' && name !== '.convene')
  const below = own.filter((name) => lstatSync(join(folder, name)).isDirectory())
  const inner = below.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  )
  return [...own, ...inner].sort()
}

/** The distinct states seen, including the first and the last, and the result of `work`. */
export async function watchCheckout<Value>(folder: string, work: () => Promise<Value>) {
  const seen = new Set([checkoutHash(folder)])
  let looks = 1
  let over = false
  const working = work().finally(() => {
    over = true
  })
  while (!over) {
    await Promise.race([wait(50), working.catch(() => {})])
    seen.add(checkoutHash(folder))
    looks++
  }
  return { value: await working, states: seen.size, looks }
}
