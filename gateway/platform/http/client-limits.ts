/** Limits what clients may occupy of a server: connections, the wait for slow readers, and bytes of bodies in flight. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { adjustCount, type KeyedCounts } from '../collections.ts'
import { PIECE_BYTES } from '../json/json-document.ts'
import { apiError } from './errors/api-error.ts'
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

/** The connections of a server. */
export type Connections = {
  /** Destroys those without a request in flight at once, those with one after the grace period. */
  stop(): void
  /** Calls back once nothing is in flight that has arrived entirely: its response comes before what is sent to others. */
  afterResponses(socket: Duplex, send: () => void): void
}

type Connection = { readonly responses: Set<ServerResponse>; last?: () => void }

/** Applies the limits to a server that does not listen yet. */
export function limitConnections(server: Server, settings: ConnectionSettings): Connections {
  const { stopMillisecondsMax = STOP_MILLISECONDS_MAX, unreadMillisecondsMax = UNREAD_MILLISECONDS_MAX } = settings
  const connections = new Map<Duplex, Connection>()
  const perNetwork: KeyedCounts = new Map()
  let stopping: NodeJS.Timeout | undefined
  server.maxConnections = settings.max
  server.on('drop', () => settings.onRejected?.('total'))
  server.on('close', () => clearTimeout(stopping))
  // Before Node's own listeners, which start to read from the connection.
  server.prependListener('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '')
    if (stopping !== undefined) {
      socket.destroy()
      return
    }
    if ((perNetwork.get(network) ?? 0) >= settings.maxPerAddress) {
      settings.onRejected?.('address')
      socket.destroy()
      return
    }
    adjustCount(perNetwork, network, 1)
    connections.set(socket, { responses: new Set() })
    socket.once('close', () => {
      adjustCount(perNetwork, network, -1)
      connections.delete(socket)
    })
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket) ?? { responses: new Set() }
    let unread: NodeJS.Timeout | undefined
    connection.responses.add(response)
    // A response that is complete on our side stays in memory until the client has read it.
    response.once('prefinish', () => {
      unread = setTimeout(() => socket.destroy(), unreadMillisecondsMax)
    })
    response.once('close', () => {
      clearTimeout(unread)
      connection.responses.delete(response)
      if (connection.last !== undefined && !isAnswering(connection)) {
        connection.last()
      }
      if (stopping !== undefined && connection.responses.size === 0) {
        socket.destroySoon()
      }
    })
  })
  const destroyWhere = (isMeant: (requests: number) => boolean) => {
    for (const [socket, { responses }] of connections) {
      if (isMeant(responses.size)) {
        socket.destroy()
      }
    }
  }
  return {
    stop: () => {
      stopping = setTimeout(() => destroyWhere(() => true), stopMillisecondsMax)
      destroyWhere((requests) => requests === 0)
    },
    afterResponses: (socket, send) => {
      const connection = connections.get(socket)
      if (connection === undefined || !isAnswering(connection)) {
        send()
      } else {
        connection.last ??= send
      }
    },
  }
}

/** Whether a request that has arrived entirely waits for its response. */
function isAnswering({ responses }: Connection): boolean {
  return responses.values().some(({ req }) => req.complete)
}

/** How many bytes of bodies are read, parsed and used at a time. */
export type BodyBudget = { readonly max: number; readonly maxPerClient: number }

/**
 * A body takes up to ten times its length once it is parsed. Those of the usual length come from anyone, and count by
 * network; those of payrolls and uploads come from authorised clients only.
 */
export type BodyBudgets = { readonly usual: BodyBudget; readonly large: BodyBudget }

const MEGABYTE = 1024 * 1024
export const BODY_BUDGETS: BodyBudgets = {
  usual: { max: 16 * MEGABYTE, maxPerClient: 4 * MEGABYTE },
  large: { max: 40 * MEGABYTE, maxPerClient: 20 * MEGABYTE },
}

/** Almost every body of the API; the limit on connections bounds them. */
const UNCOUNTED_BYTES = PIECE_BYTES
/** A payroll is validated in one to three seconds. */
const RETRY_AFTER_SECONDS = 2

type Account = { readonly budget: BodyBudget; total: number; readonly byClient: KeyedCounts }
type Reservation = { readonly account: Account; readonly client: string; bytes: number }

declare module 'fastify' {
  interface FastifyInstance {
    readonly bodyAccounts: Readonly<Record<keyof BodyBudgets, Account>>
  }
  interface FastifyRequest {
    reservation: Reservation | undefined
  }
}

/** Applies the budgets to every route of a server; longer bodies than `usualBytesMax` are those of `reserveLargeBody`. */
export function limitBodies(server: FastifyInstance, usualBytesMax: number, budgets: BodyBudgets): void {
  const open = (budget: BodyBudget): Account => ({ budget, total: 0, byClient: new Map() })
  const accounts = { usual: open(budgets.usual), large: open(budgets.large) }
  server.decorate('bodyAccounts', accounts)
  server.decorateRequest('reservation', undefined)
  server.addHook('onRequest', (request, _reply, done) => {
    const bytes = announcedBytes(request)
    if (bytes > UNCOUNTED_BYTES && bytes <= usualBytesMax) {
      reserve(request, { account: accounts.usual, client: clientNetwork(request.ip), bytes })
    }
    done()
  })
  server.addHook('onSend', (request, _reply, _payload, done) => {
    // A response that its client does not read holds its request.
    request.body = undefined
    countReceivedBody(request, 0)
    done()
  })
}

/** Reserves what a body above the usual length takes, once its client is authorised. */
export function reserveLargeBody(request: FastifyRequest, client: string): void {
  const bytes = announcedBytes(request)
  if (bytes > UNCOUNTED_BYTES && request.reservation === undefined) {
    reserve(request, { account: request.server.bodyAccounts.large, client, bytes })
  }
}

/** Once a body has arrived, its length is known also where it was not announced. */
export function countReceivedBody(request: FastifyRequest, bytes: number): void {
  const { reservation } = request
  if (reservation !== undefined) {
    const { account, client } = reservation
    const change = (bytes > UNCOUNTED_BYTES ? bytes : 0) - reservation.bytes
    reservation.bytes += change
    account.total += change
    adjustCount(account.byClient, client, change)
  }
}

/** As many as a request may send where it does not say how many. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? 0)
  return headers['transfer-encoding'] === undefined ? length : (routeOptions.bodyLimit ?? 0)
}

function reserve(request: FastifyRequest, reservation: Reservation): void {
  const { account, client, bytes } = reservation
  const { budget, total, byClient } = account
  if ((byClient.get(client) ?? 0) + bytes > budget.maxPerClient) {
    const message = `Your requests in progress have ${inMegabytes(budget.maxPerClient)} of bodies; send fewer at once`
    throw apiError('too-many-requests', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  if (total + bytes > budget.max) {
    const message = 'The requests in progress have too long bodies for another one; nothing was done with this one'
    throw apiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  request.reservation = { account, client, bytes: 0 }
  countReceivedBody(request, bytes)
}

function inMegabytes(bytes: number): string {
  return `${bytes / MEGABYTE} MB`
}
