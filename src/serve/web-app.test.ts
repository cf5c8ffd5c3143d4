import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConveneError } from '../kernel/errors.ts'
import { webApp } from './web-app.ts'

function project() {
  const root = mkdtempSync(join(tmpdir(), 'convene-web-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'web')
  const http = new Hono()
  http.onError((error, context) => context.text('', error instanceof ConveneError ? (error.status as 503) : 500))
  http.get('*', webApp([folder]))
  return {
    remove: () => rmSync(folder, { recursive: true }),
    write(path: string, text: string) {
      mkdirSync(join(folder, 'assets'), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    async get(path: string) {
      const answer = await http.request(path)
      return { status: answer.status, text: await answer.text(), cache: answer.headers.get('cache-control') }
    },
  }
}

const page = (script: string) => `<script type="module" src="/assets/${script}"></script>`

describe('the built web app', () => {
  it('is served as soon as it is built, even by a server that started before', async () => {
    const app = project()
    expect((await app.get('/')).status).toBe(503)
    app.write('index.html', page('a.js'))
    expect((await app.get('/')).status).toBe(503)
    app.write('assets/a.js', 'one')
    expect(await app.get('/rooms/x')).toEqual({ status: 200, text: page('a.js'), cache: 'no-cache' })
    expect(await app.get('/assets/a.js')).toMatchObject({ text: 'one', cache: expect.stringContaining('immutable') })
  })

  it('stays the old build while the next one is being written', async () => {
    const app = project()
    app.write('index.html', page('a.js'))
    app.write('assets/a.js', 'one')
    expect((await app.get('/')).text).toBe(page('a.js'))
    app.remove()
    expect((await app.get('/')).text).toBe(page('a.js'))
    expect((await app.get('/assets/a.js')).text).toBe('one')
    app.write('index.html', page('b.js'))
    expect((await app.get('/')).text).toBe(page('a.js'))
    app.write('assets/b.js', 'two')
    expect((await app.get('/')).text).toBe(page('b.js'))
    expect((await app.get('/assets/b.js')).text).toBe('two')
    expect((await app.get('/assets/gone.js')).status).toBe(404)
  })
})
