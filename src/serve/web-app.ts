/** Serves the built web app from memory, and reloads it when the build has changed. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { Context } from 'hono'
import { ConveneError } from '../kernel/errors.ts'
import { packageRoot } from '../kernel/package-root.ts'

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

interface Build {
  files: Map<string, WebFile>
  /** Paths, sizes and times of the files: two builds differ in it. */
  fingerprint: string
}

const buildFolders = [join(packageRoot, 'dist/web')]

export function webApp(folders: readonly string[] = buildFolders): (context: Context) => Response {
  let build: Build = { files: new Map(), fingerprint: '' }
  build = newestBuild(folders) ?? build
  return (context) => {
    const path = context.req.path
    // Asset names change with their content, so only the page itself can be out of date.
    if (!path.startsWith('/assets/') || !build.files.has(path)) build = newestBuild(folders) ?? build
    const { files } = build
    const file = files.get(path)
    if (file) return send(file, path.startsWith('/assets/'))
    // The app routes paths without an extension itself.
    const index = extname(path) === '' ? files.get('/index.html') : undefined
    if (index) return send(index, false)
    if (files.size > 0) throw new ConveneError('not_found', `there is nothing at ${path}`, { status: 404 })
    throw new ConveneError('no_web_app', 'the web app is not built; run `npm run build`', { status: 503 })
  }

  /** Undefined while there is no build or one is being written: the server keeps using the last one. */
  function newestBuild(folders: readonly string[]): Build | undefined {
    const folder = folders.find((each) => existsSync(join(each, 'index.html')))
    if (folder === undefined) return undefined
    try {
      const entries = filesIn(folder)
      const fingerprint = entries.map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`).join('\n')
      if (fingerprint === build.fingerprint) return build
      const files = new Map(entries.map(({ path }) => [addressOf(path, folder), readFile(path)]))
      return isComplete(files) ? { files, fingerprint } : undefined
    } catch {
      // Deleted while it was read: the next build is being written.
      return undefined
    }
  }
}

/** Whether every asset that the page refers to is there. */
function isComplete(files: Map<string, WebFile>): boolean {
  const page = new TextDecoder().decode(files.get('/index.html')?.content)
  return page !== '' && [...page.matchAll(/"(\/assets\/[^"]+)"/g)].every(([, path]) => files.has(path!))
}

function send({ content, type }: WebFile, forever: boolean): Response {
  const cache = forever ? 'public, max-age=31536000, immutable' : 'no-cache'
  return new Response(content, { headers: { 'content-type': type, 'cache-control': cache } })
}

function filesIn(folder: string): { path: string; size: number; mtimeMs: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = statSync(path)
      return { path, size, mtimeMs }
    })
}

function readFile(path: string): WebFile {
  const type = contentTypes[extname(path)] ?? 'application/octet-stream'
  return { content: new Uint8Array(readFileSync(path)), type }
}

const addressOf = (path: string, folder: string) => path.slice(folder.length).split(sep).join('/')
