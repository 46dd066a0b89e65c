/** Limits the connections of an HTTP server: how many are open, how long an answer waits for its reader, how long a stop may take. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Counts, count } from '../keyed-counts.ts'
import { clientNetwork } from './client-network.ts'

/** How many connections may be open at a time. */
export type ConnectionLimits = {
  readonly max: number
  /** For each IPv4 address and each IPv6 /64. */
  readonly maxPerAddress: number
}

/** Which of the limits a refused connection exceeded. */
export type ExceededLimit = 'total' | 'address'

/** The limits of a server, and the times that tests shorten. */
export type ConnectionSettings = ConnectionLimits & {
  readonly onRefused?: (limit: ExceededLimit) => void
  /** After so long a stopping server destroys the connections of requests that are still in flight. */
  readonly stopMillisecondsMax?: number
  /** So long a finished answer waits for a client that does not read it. */
  readonly unreadMillisecondsMax?: number
}

/** What the server does with its connections when it stops. */
export type Connections = { stop(): void }

const STOP_MILLISECONDS_MAX = 5_000
const UNREAD_MILLISECONDS_MAX = 60_000

/** Descriptors for everything else: database, banks, deliveries, files. */
const OTHER_DESCRIPTORS = 128
const CONNECTIONS_MIN = 16

/** The limits that leave a process the descriptors for its other work; without it, connections alone could use them all up. */
export function limitsWithin(limits: ConnectionLimits, descriptorsMax: number): ConnectionLimits {
  const max = Math.min(limits.max, Math.max(CONNECTIONS_MIN, descriptorsMax - OTHER_DESCRIPTORS))
  return { max, maxPerAddress: max < limits.max ? Math.min(limits.maxPerAddress, max / 2) : limits.maxPerAddress }
}

/** How many descriptors the process may open; Node raises the soft limit to the hard one at start. */
export function descriptorsMax(): number {
  // Without this it looks up host names.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft
}

/** Applies the limits to a server that does not listen yet. */
export function limitConnections(server: Server, settings: ConnectionSettings): Connections {
  const requestsBySocket = new Map<Socket, number>()
  const stop = stopper(requestsBySocket, settings.stopMillisecondsMax ?? STOP_MILLISECONDS_MAX)
  server.maxConnections = settings.max
  server.on('drop', () => settings.onRefused?.('total'))
  server.on('close', stop.done)
  const perNetwork: Counts = new Map()
  // Before Node's own listeners, which begin to read from the connection.
  server.prependListener('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '')
    if (stop.isStopping()) {
      socket.destroy()
      return
    }
    if ((perNetwork.get(network) ?? 0) >= settings.maxPerAddress) {
      settings.onRefused?.('address')
      socket.destroy()
      return
    }
    count(perNetwork, network, 1)
    requestsBySocket.set(socket, 0)
    socket.once('close', () => {
      count(perNetwork, network, -1)
      requestsBySocket.delete(socket)
    })
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const change = (by: 1 | -1) => {
      const requests = requestsBySocket.get(socket)
      if (requests !== undefined) {
        requestsBySocket.set(socket, requests + by)
      }
    }
    change(1)
    destroyUnread(socket, response, settings.unreadMillisecondsMax ?? UNREAD_MILLISECONDS_MAX)
    response.once('close', () => {
      change(-1)
      if (stop.isStopping() && requestsBySocket.get(socket) === 0) {
        socket.destroySoon()
      }
    })
  })
  return { stop: stop.begin }
}

/** Connections without a request in flight are destroyed at once, those with one when the time is over. */
function stopper(requestsBySocket: ReadonlyMap<Socket, number>, millisecondsMax: number) {
  let deadline: NodeJS.Timeout | undefined
  return {
    isStopping: () => deadline !== undefined,
    begin: () => {
      deadline = setTimeout(() => destroyWhere(requestsBySocket, () => true), millisecondsMax)
      destroyWhere(requestsBySocket, (requests) => requests === 0)
    },
    done: () => clearTimeout(deadline),
  }
}

function destroyWhere(requestsBySocket: ReadonlyMap<Socket, number>, isMeant: (requests: number) => boolean): void {
  for (const [socket, requests] of requestsBySocket) {
    if (isMeant(requests)) {
      socket.destroy()
    }
  }
}

/** An answer that is complete on our side stays in memory until the client has read it. */
function destroyUnread(socket: Socket, response: ServerResponse, millisecondsMax: number): void {
  let timer: NodeJS.Timeout | undefined
  response.once('prefinish', () => {
    timer = setTimeout(() => socket.destroy(), millisecondsMax)
  })
  response.once('close', () => clearTimeout(timer))
}
