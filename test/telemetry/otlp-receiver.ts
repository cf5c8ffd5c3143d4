/** A small OTLP receiver on loopback: collects spans sent as JSON or as protobuf. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  attributes: Record<string, string | number | boolean>
  /** 2 for an error. */
  status: number
}

export interface Receiver {
  url: string
  spans: ReceivedSpan[]
  contentTypes: Set<string>
  /** Everything received, as text: what must not be in it can be looked for. */
  raw: string[]
}

export async function otlpReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', spans: [], contentTypes: new Set(), raw: [] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    const type = request.headers['content-type'] ?? ''
    receiver.contentTypes.add(type)
    receiver.raw.push(body.toString('utf8'))
    if (request.url !== '/v1/traces') {
      response.writeHead(404).end()
      return
    }
    receiver.spans.push(...(type.includes('json') ? fromJson(body) : fromProtobuf(body)))
    response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

interface JsonSpan extends Omit<ReceivedSpan, 'attributes' | 'status'> {
  attributes: { key: string; value: Record<string, string | number | boolean> }[]
  status?: { code?: number }
}

function fromJson(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString('utf8')) as {
    resourceSpans: { scopeSpans: { spans: JsonSpan[] }[] }[]
  }
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes, status, parentSpanId = '', ...span }) => ({
      ...span,
      parentSpanId,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]!])),
      status: status?.code ?? 0,
    }))
}

type Field = { number: number; bytes: Buffer; value: bigint }

/** The fields of a protobuf message; fixed-width numbers come as bytes. */
function fields(message: Buffer): Field[] {
  const found: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const tag = Number(varint())
    const wire = tag & 7
    const value = wire === 0 || wire === 2 ? varint() : 0n
    const length = wire === 2 ? Number(value) : wire === 1 ? 8 : wire === 5 ? 4 : 0
    found.push({ number: tag >> 3, bytes: message.subarray(at, at + length), value })
    at += length
  }
  return found
}

const below = (message: Buffer, number: number) => fields(message).filter((field) => field.number === number)

function fromProtobuf(body: Buffer): ReceivedSpan[] {
  const spans = below(body, 1)
    .flatMap(({ bytes }) => below(bytes, 2))
    .flatMap(({ bytes }) => below(bytes, 2))
  return spans.map(({ bytes }) => {
    const hex = (number: number) => below(bytes, number)[0]?.bytes.toString('hex') ?? ''
    const status = below(bytes, 15)[0]?.bytes
    return {
      traceId: hex(1),
      spanId: hex(2),
      parentSpanId: hex(4),
      name: below(bytes, 5)[0]!.bytes.toString('utf8'),
      attributes: Object.fromEntries(below(bytes, 9).map((field) => attribute(field.bytes))),
      status: status ? Number(below(status, 3)[0]?.value ?? 0n) : 0,
    }
  })
}

function attribute(bytes: Buffer): [string, string | number | boolean] {
  const key = below(bytes, 1)[0]!.bytes.toString('utf8')
  const [value] = fields(below(bytes, 2)[0]!.bytes)
  if (value?.number === 2) return [key, value.value === 1n]
  if (value?.number === 3) return [key, Number(BigInt.asIntN(64, value.value))]
  if (value?.number === 4) return [key, value.bytes.readDoubleLE()]
  return [key, value?.bytes.toString('utf8') ?? '']
}
