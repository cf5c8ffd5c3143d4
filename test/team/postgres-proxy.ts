/** A network between one process and Postgres: it delays data, loses and repeats notifications, and can be cut. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

export interface PostgresProxy {
  port: number
  /** How many notifications it has lost and repeated. */
  counts: { lost: number; repeated: number }
  /** Nothing passes, and nobody is told, until the result is called. Then the connections of that time break. */
  cut(): () => void
  close(): void
}

export interface Weather {
  random(): number
  /** Of all notifications. */
  lost: number
  repeated: number
  /** The longest delay of a piece of data. */
  delayMs: number
}

/** `host` is the address under which it can be reached. */
export async function startProxy(target: number, weather: Weather, host = '127.0.0.1'): Promise<PostgresProxy> {
  const counts = { lost: 0, repeated: 0 }
  const sockets = new Set<Socket>()
  let healed = Promise.resolve()
  const slowly = () =>
    new Transform({
      async transform(chunk, _, done) {
        if (weather.delayMs > 0) await pause(weather.random() * weather.delayMs)
        await healed
        done(null, chunk)
      },
    })
  const server: Server = createServer(async (client) => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    await healed
    const database = connect(target, '127.0.0.1')
    sockets.add(database)
    database.on('error', () => {}).on('close', () => sockets.delete(database))
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
    client.pipe(slowly()).pipe(database)
    database.pipe(notificationFilter(weather, counts)).pipe(slowly()).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as { port: number }).port,
    counts,
    cut() {
      const before = [...sockets]
      let heal = () => {}
      healed = new Promise((resolve) => {
        heal = resolve
      })
      return () => {
        for (const socket of before) socket.destroy()
        heal()
      }
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Postgres sends messages of a type, a length and a body; a notification has the type `A`. */
function notificationFilter({ random, lost, repeated }: Weather, counts: PostgresProxy['counts']): Transform {
  let held = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _, done) {
      held = Buffer.concat([held, chunk])
      // Passed on in one piece, as it came: the delay is for each piece.
      const passed: Buffer[] = []
      while (held.length >= 5) {
        const end = 1 + held.readUInt32BE(1)
        if (held.length < end) break
        const message = held.subarray(0, end)
        held = held.subarray(end)
        const chance = message[0] === notification ? random() : 1
        const isLost = chance < lost
        const isRepeated = !isLost && chance < lost + repeated
        if (isLost) counts.lost++
        if (isRepeated) counts.repeated++
        if (!isLost) passed.push(...(isRepeated ? [message, message] : [message]))
      }
      if (passed.length > 0) this.push(Buffer.concat(passed))
      done()
    },
  })
}

const notification = 'A'.charCodeAt(0)
