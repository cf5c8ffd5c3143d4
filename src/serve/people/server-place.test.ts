import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { serverPlace } from './server-place.ts'

const hosts = () => new Set(['127.0.0.1:4747', 'localhost:4747'])

/** What the server makes of a request with this Host header. */
async function seen(host: string, publicUrl?: URL) {
  const place = serverPlace(hosts, () => 4747, publicUrl)
  const http = new Hono().get('/', (context) =>
    context.json([place.hasHost(host), place.originOf(context), place.isSecure(context), place.cookieName()]),
  )
  return (await http.request('/', { headers: { host } })).json()
}

it('[TR12] knows itself by its own addresses, each with a session of its own', async () => {
  expect(await seen('127.0.0.1:4747')).toEqual([true, 'http://127.0.0.1:4747', false, 'convene_4747'])
  expect(await seen('convene.example.com')).toEqual([false, 'http://convene.example.com', false, 'convene_4747'])
})

it('[TR12] accepts the address of the proxy in front, whose cookies are secure over TLS', async () => {
  const publicUrl = new URL('https://convene.example.com')
  expect(await seen('convene.example.com', publicUrl)).toEqual([true, 'https://convene.example.com', true, 'convene'])
  expect(await seen('localhost:4747', publicUrl)).toEqual([true, 'http://localhost:4747', false, 'convene'])
  expect(await seen('other.example.com', publicUrl)).toEqual([false, 'http://other.example.com', false, 'convene'])
  const place = serverPlace(hosts, () => 4747, publicUrl)
  const origins = ['https://convene.example.com', 'http://localhost:4747', 'http://convene.example.com', 'null']
  expect(origins.map((origin) => place.hasOrigin(origin))).toEqual([true, true, false, false])
})
