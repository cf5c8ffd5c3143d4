import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { carefulFetch } from './careful-fetch.ts'

interface Heard {
  method?: string
  path?: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers `/<status>` with a redirect of this status to `/end`, or to another origin. */
async function redirecting(to = '/end'): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request
    heard.push({ ...(method ? { method } : {}), ...(path ? { path } : {}), headers, body: await text(request) })
    const status = Number(path?.slice(1))
    if (status) response.writeHead(status, { location: to }).end()
    else response.end('done')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const post = {
  method: 'POST',
  headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
  body: '{"a":1}',
}

it.each([301, 302, 303])('[TR4] a POST that is answered with %i becomes a GET without a body', async (status) => {
  const { url, heard } = await redirecting()
  expect(await (await carefulFetch(`${url}/${status}`, post)).text()).toBe('done')
  expect(heard[1]).toMatchObject({ method: 'GET', path: '/end', body: '' })
  expect(heard[1]!.headers).not.toHaveProperty('content-type')
  // The same origin: it had the key already.
  expect(heard[1]!.headers.authorization).toBe('Bearer key')
})

it.each([307, 308])('[TR4] a POST that is answered with %i is sent again as it was', async (status) => {
  const { url, heard } = await redirecting()
  await (await carefulFetch(new Request(`${url}/${status}`, post))).text()
  expect(heard.map(({ method, body }) => [method, body])).toEqual([
    ['POST', '{"a":1}'],
    ['POST', '{"a":1}'],
  ])
})

it.each([301, 302, 303, 307, 308])('[TR4] nothing goes to another origin with %i', async (status) => {
  const other = await redirecting()
  const { url } = await redirecting(`${other.url}/end`)
  await expect(carefulFetch(`${url}/${status}`, post)).rejects.toMatchObject({ origin: other.url })
  expect(other.heard).toEqual([])
})
