/** A proxy that breaks requests in the ways that networks and GitHub do, and records them. */
import { createServer, request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Fault =
  /** Answered here; the forge never gets the request. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection is cut before the forge gets the request. */
  | { kind: 'reset' }
  /** The forge performs it, the response is lost. */
  | { kind: 'lost' }
  /** The forge performs it, the response is truncated. */
  | { kind: 'torn' }
  /** Nothing happens and nobody responds. */
  | { kind: 'silent' }
  /** The forge performs it and nobody responds. */
  | { kind: 'lost in silence' }

export interface PassedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  fault?: Fault['kind']
}

export class FaultProxy {
  readonly requests: PassedRequest[] = []
  /** Called for each request, in order of arrival. */
  fault: (request: PassedRequest, count: number) => Fault | undefined = () => undefined
  readonly #target: URL
  readonly #server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null)
    if (!body) return
    const { method = '', url: path = '', headers } = request
    const passed: PassedRequest = { method, path, headers, body: body.toString('utf8') }
    const fault = this.fault(passed, this.requests.length)
    if (fault) passed.fault = fault.kind
    this.requests.push(passed)
    if (fault?.kind === 'silent') return
    if (fault?.kind === 'reset') return void request.socket.destroy()
    if (fault?.kind === 'status') return answer(response, fault)
    this.#forward(passed, body, response, fault)
  })

  constructor(target: string) {
    this.#target = new URL(target)
  }

  async start(): Promise<string> {
    // Only faults break connections: on a busy machine an idle one would be closed while a request is on its way.
    this.#server.keepAliveTimeout = 0
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.address
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The requests that changed something, or were meant to. */
  writes(): PassedRequest[] {
    return this.requests.filter(({ method }) => method !== 'GET')
  }

  #forward({ method, path, headers }: PassedRequest, body: Buffer, response: ServerResponse, fault?: Fault): void {
    const { hostname: host, port } = this.#target
    const own = { host, port, method, path, headers: { ...headers, connection: 'close' }, agent: false } as const
    const onward = httpRequest(own, async (answered) => {
      const content = await buffer(answered)
      if (fault?.kind === 'lost in silence') return
      if (fault?.kind === 'lost') return void response.socket?.destroy()
      const { 'transfer-encoding': _, connection: _own, ...given } = answered.headers
      response.writeHead(answered.statusCode!, { ...given, 'content-length': content.length })
      if (fault?.kind !== 'torn') return void response.end(content)
      response.write(content.subarray(0, Math.floor(content.length / 2)), () => response.socket?.destroy())
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }
}

function answer(response: ServerResponse, { status, headers = {}, body = {} }: Fault & { kind: 'status' }): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
