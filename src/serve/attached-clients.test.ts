import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { clientHeader } from '../kernel/owner-address.ts'
import { AttachedClients } from './attached-clients.ts'

function note(clients: AttachedClients, header: string, url = '/api/runs', accept = '*/*') {
  const response = new EventEmitter()
  clients.note(
    { url, headers: { [clientHeader]: header, accept } } as unknown as IncomingMessage,
    response as unknown as ServerResponse,
  )
  return response
}

it.each(['1 %', '%', '', 'nobody', `${process.pid} %E0%A4%A`])('passes over the header %j', (header) => {
  const clients = new AttachedClients()
  note(clients, header)
  expect(clients.list()).toEqual([])
})

it('counts a live process', () => {
  const clients = new AttachedClients()
  note(clients, `${process.pid}`)
  expect(clients.list()).toMatchObject([{ alive: true, openRequests: 1 }])
})

it('knows which runs a command follows, until its event streams end', () => {
  const clients = new AttachedClients()
  note(clients, `${process.pid}`)
  const stream = note(clients, `${process.pid}`, '/api/events?run=build-1&after=0')
  expect(clients.list()).toMatchObject([{ openRequests: 2, follows: ['build-1'] }])
  stream.emit('close')
  expect(clients.list()).toMatchObject([{ openRequests: 1, follows: [] }])
})

it('does not take a page of the log for a stream: whoever prints it continues no run', () => {
  const clients = new AttachedClients()
  note(clients, `${process.pid}`, '/api/events?run=build-1&after=0', 'application/json')
  expect(clients.list()).toMatchObject([{ openRequests: 1, follows: [] }])
})
