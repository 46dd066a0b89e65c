/** Limits the connections of an HTTP server: their number, the wait for slow readers, and the time to shut down. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { adjustCount, type KeyedCounts } from '../keyed-counts.ts'
import { clientNetwork } from './ip-address.ts'

/** How many connections may be open at a time. */
export type ConnectionLimits = {
  readonly max: number
  /** For each IPv4 address and each IPv6 /64. */
  readonly maxPerAddress: number
}

/** Which limit a rejected connection exceeded. */
export type ExceededLimit = 'total' | 'address'

/** The limits of a server, and the timeouts that tests shorten. */
export type ConnectionSettings = ConnectionLimits & {
  readonly onRejected?: (limit: ExceededLimit) => void
  /** After this time a stopping server destroys the connections of requests that are still in flight. */
  readonly stopMillisecondsMax?: number
  /** How long a finished response waits for a client that does not read it. */
  readonly unreadMillisecondsMax?: number
}

/** How the server closes its connections when it stops. */
export type Connections = { stop(): void }

const STOP_MILLISECONDS_MAX = 5_000
const UNREAD_MILLISECONDS_MAX = 60_000

/** File descriptors reserved for everything else: database, banks, deliveries, files. */
const OTHER_DESCRIPTORS = 128
const CONNECTIONS_MIN = 16

/**
 * Limits that leave a process the descriptors for its other work; otherwise connections alone could use them all up.
 */
export function limitsWithinDescriptors(limits: ConnectionLimits, descriptorsMax: number): ConnectionLimits {
  const max = Math.min(limits.max, Math.max(CONNECTIONS_MIN, descriptorsMax - OTHER_DESCRIPTORS))
  return { max, maxPerAddress: max < limits.max ? Math.min(limits.maxPerAddress, max / 2) : limits.maxPerAddress }
}

let descriptors: number | undefined

/** How many descriptors the process may open; Node raises the soft limit to the hard one at start. */
export function descriptorsMax(): number {
  // A report describes the whole process, and takes milliseconds.
  descriptors ??= readDescriptorsMax()
  return descriptors
}

function readDescriptorsMax(): number {
  // Otherwise the report would include DNS lookups of host names.
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
  server.on('drop', () => settings.onRejected?.('total'))
  server.on('close', stop.done)
  const perNetwork: KeyedCounts = new Map()
  // Before Node's own listeners, which start to read from the connection.
  server.prependListener('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '')
    if (stop.isStopping()) {
      socket.destroy()
      return
    }
    if ((perNetwork.get(network) ?? 0) >= settings.maxPerAddress) {
      settings.onRejected?.('address')
      socket.destroy()
      return
    }
    adjustCount(perNetwork, network, 1)
    requestsBySocket.set(socket, 0)
    socket.once('close', () => {
      adjustCount(perNetwork, network, -1)
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

/** Connections without a request in flight are destroyed at once, those with one after the grace period. */
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

function destroyWhere(
  requestsBySocket: ReadonlyMap<Socket, number>,
  matchesConnection: (requests: number) => boolean,
): void {
  for (const [socket, requests] of requestsBySocket) {
    if (matchesConnection(requests)) {
      socket.destroy()
    }
  }
}

/** A response that is complete on our side stays in memory until the client has read it. */
function destroyUnread(socket: Socket, response: ServerResponse, millisecondsMax: number): void {
  let timer: NodeJS.Timeout | undefined
  response.once('prefinish', () => {
    timer = setTimeout(() => socket.destroy(), millisecondsMax)
  })
  response.once('close', () => clearTimeout(timer))
}
