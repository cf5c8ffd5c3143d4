/** The built web app, held in memory: a few files, read once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from 'hono'
import { ConveneError } from '../kernel/errors.ts'

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

interface WebFile {
  content: Uint8Array<ArrayBuffer>
  type: string
}

/** Where the build lies, seen from the sources of a clone and from the package. */
const folders = ['../../dist/web', '../web'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

export function webApp(): (context: Context) => Response {
  const folder = folders.find((each) => existsSync(join(each, 'index.html')))
  const files = folder ? readFolder(folder) : new Map<string, WebFile>()
  return (context) => {
    const path = context.req.path
    const file = files.get(path)
    if (file) return send(file, path.startsWith('/assets/'))
    // Addresses inside the app are its own to read.
    const index = extname(path) === '' ? files.get('/index.html') : undefined
    if (index) return send(index, false)
    if (files.size > 0) throw new ConveneError('not_found', `there is nothing at ${path}`, { status: 404 })
    throw new ConveneError('no_web_app', 'the web app is not built; `npm run build` builds it', { status: 503 })
  }
}

function send({ content, type }: WebFile, forever: boolean): Response {
  const cache = forever ? 'public, max-age=31536000, immutable' : 'no-cache'
  return new Response(content, { headers: { 'content-type': type, 'cache-control': cache } })
}

function readFolder(folder: string): Map<string, WebFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const type = contentTypes[extname(path)] ?? 'application/octet-stream'
      return [path.slice(folder.length).split(sep).join('/'), { content: new Uint8Array(readFileSync(path)), type }]
    }),
  )
}
