/** Serves a port that a fault can close while its program goes on: then no connection to it succeeds. */
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { openSerialQueue } from './due-scan-loop.ts'

export type ClosablePort = {
  /** Opens it, and returns its number; 0 selects a free one. */
  listen(place: { readonly host: string; readonly port: number }): Promise<number>
  /** Closes it with its connections, or opens it again; it has to have listened. */
  setOpen(isOpen: boolean): Promise<void>
  /** Resolves when no connection is left. */
  close(): Promise<void>
}

/** It does not listen yet. */
export function closablePort(server: Server): ClosablePort {
  const changes = openSerialQueue()
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  let place = { host: '', port: 0 }
  return {
    listen: async (wanted) => {
      await listen(server, wanted)
      place = { host: wanted.host, port: boundPort(server) }
      return place.port
    },
    setOpen: (isOpen) =>
      changes.runExclusive(async () => {
        await (isOpen ? listen(server, place) : refuse(server, connections))
      }),
    close: () => changes.runExclusive(() => end(server)),
  }
}

async function listen(server: Server, place: { readonly host: string; readonly port: number }): Promise<void> {
  if (!server.listening) {
    server.listen(place)
    await once(server, 'listening')
  }
}

async function refuse(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const ended = end(server)
  for (const socket of connections) {
    socket.destroy()
  }
  await ended
}

/** Idle connections end at once, others after their response. */
async function end(server: Server): Promise<void> {
  if (server.listening) {
    server.close()
    await once(server, 'close')
  }
}

function boundPort(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
