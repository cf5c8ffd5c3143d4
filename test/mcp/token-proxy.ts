/** Adds the token to requests of programs that cannot send one, and passes their `Host` and `Origin` on. */
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { RunningServer } from '../../src/serve/server.ts'

/** The address of the proxy. */
export async function tokenProxy(server: RunningServer): Promise<string> {
  const target = new URL(server.url)
  const proxy = createServer((request, response) => {
    const { port } = proxy.address() as AddressInfo
    const headers = { ...request.headers, authorization: `Bearer ${server.token}` }
    // To the client this is the server: its own address stands for the server's.
    for (const name of ['host', 'origin'] as const)
      headers[name] = headers[name]?.replace(new RegExp(`:${port}$`), `:${target.port}`)
    if (headers.origin === undefined) delete headers.origin
    const { hostname, port: targetPort } = target
    const forwarded = send(
      { hostname, port: targetPort, path: request.url, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
