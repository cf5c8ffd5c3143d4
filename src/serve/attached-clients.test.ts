import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { clientHeader } from '../kernel/owner-address.ts'
import { AttachedClients } from './attached-clients.ts'

const note = (clients: AttachedClients, header: string) =>
  clients.note(
    { headers: { [clientHeader]: header } } as unknown as IncomingMessage,
    new EventEmitter() as unknown as ServerResponse,
  )

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
