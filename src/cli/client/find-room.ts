/** Finds a room by id, else by name. */
import { ConveneError } from '../../kernel/errors.ts'
import type { Room } from '../../room/view.ts'
import type { Client } from './client.ts'

export async function findRoom(client: Client, idOrName: string): Promise<Room> {
  const room = await lookUpRoom(client, idOrName)
  if (!room) throw new ConveneError('unknown_room', `there is no room '${idOrName}'`, { path: 'room', status: 404 })
  return room
}

/** Finds the room, or creates it if there is none of that name. */
export async function openRoom(client: Client, idOrName: string): Promise<Room> {
  return (await lookUpRoom(client, idOrName)) ?? client.call('POST /api/rooms', { body: { name: idOrName } })
}

async function lookUpRoom(client: Client, idOrName: string): Promise<Room | undefined> {
  const { rooms } = await client.call('GET /api/rooms')
  return rooms.find((room) => room.id === idOrName) ?? rooms.find((room) => room.name === idOrName)
}
