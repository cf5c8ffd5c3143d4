/**
 * The network of one peer: a bad line to Postgres that can be cut. Where the machine allows network namespaces, the peer runs in one of
 * its own, and a cut takes its link down: nothing arrives, and nobody is told.
 */
import { execFileSync } from 'node:child_process'
import { type PostgresProxy, startProxy, type Weather } from './postgres-proxy.ts'

export interface PeerNetwork {
  /** The database as the peer reaches it. */
  url: string
  /** Starts a program inside. */
  via: string[]
  counts: PostgresProxy['counts']
  /** The result heals it. */
  cut(): () => void
  close(): void
}

let networks = 0

export async function openNetwork(database: { url: string; port: number }, weather: Weather): Promise<PeerNetwork> {
  const space = hasNamespaces ? openNamespace(++networks) : null
  const proxy = await startProxy(database.port, weather, space?.host)
  const url = new URL(database.url)
  url.hostname = space?.host ?? '127.0.0.1'
  url.port = String(proxy.port)
  url.searchParams.set('sslmode', 'disable')
  return {
    url: url.href,
    via: space ? ['ip', 'netns', 'exec', space.name] : [],
    counts: proxy.counts,
    cut: () => (space && weather.random() < 0.7 ? space.cut() : proxy.cut()),
    close() {
      proxy.close()
      space?.close()
    },
  }
}

/** Needs root, `ip` and a kernel that lets us. */
export const hasNamespaces = canOpenNamespace()

/** Of tests that were killed. */
function removeLeftovers(): void {
  const names = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }).match(/^convene-\d+-\d+/gm) ?? []
  for (const name of names) if (!isRunning(Number(name.split('-')[1]))) ip('netns', 'del', name)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function openNamespace(number: number) {
  const name = `convene-${process.pid}-${number}`
  const link = `cv${process.pid % 100_000}n${number}`
  const net = `10.${200 + (process.pid % 50)}.${number}`
  ip('netns', 'add', name)
  try {
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'up0', 'netns', name)
    ip('addr', 'add', `${net}.1/30`, 'dev', link)
    ip('link', 'set', link, 'up')
    ip('-n', name, 'addr', 'add', `${net}.2/30`, 'dev', 'up0')
    ip('-n', name, 'link', 'set', 'up0', 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
  } catch (error) {
    ip('netns', 'del', name)
    throw error
  }
  return {
    name,
    host: `${net}.1`,
    cut() {
      ip('link', 'set', link, 'down')
      return () => ip('link', 'set', link, 'up')
    },
    /** The link goes with it. */
    close: () => ip('netns', 'del', name),
  }
}

function canOpenNamespace(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    removeLeftovers()
    openNamespace(255).close()
    return true
  } catch {
    return false
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
