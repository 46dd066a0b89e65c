/** Bounds the memory of request bodies: how many bytes of long ones are in flight at once, in all and of one client. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PIECE_BYTES } from '../json/json-document.ts'
import { apiError } from './errors/api-error.ts'
import { clientNetwork } from './ip-address.ts'

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

type Account = { readonly budget: BodyBudget; total: number; readonly byClient: Map<string, number> }
type Reservation = { readonly account: Account; readonly client: string; bytes: number }

const accountsByServer = new WeakMap<object, Readonly<Record<keyof BodyBudgets, Account>>>()
const reservations = new WeakMap<FastifyRequest, Reservation>()

/** Applies the budgets to every route of a server; longer bodies than `usualBytesMax` are those of `reserveLargeBody`. */
export function limitBodies(server: FastifyInstance, usualBytesMax: number, budgets: BodyBudgets): void {
  const open = (budget: BodyBudget): Account => ({ budget, total: 0, byClient: new Map() })
  const accounts = { usual: open(budgets.usual), large: open(budgets.large) }
  accountsByServer.set(server.server, accounts)
  server.addHook('onRequest', async (request) => {
    const bytes = announcedBytes(request)
    if (bytes > UNCOUNTED_BYTES && bytes <= usualBytesMax) {
      reserve(request, { account: accounts.usual, client: clientNetwork(request.ip), bytes })
    }
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
  const account = accountsByServer.get(request.server.server)?.large
  const bytes = announcedBytes(request)
  if (account !== undefined && bytes > UNCOUNTED_BYTES && !reservations.has(request)) {
    reserve(request, { account, client, bytes })
  }
}

/** Once a body has arrived, its length is known also where it was not announced. */
export function countReceivedBody(request: FastifyRequest, bytes: number): void {
  const reservation = reservations.get(request)
  if (reservation !== undefined) {
    const { account, client } = reservation
    const change = (bytes > UNCOUNTED_BYTES ? bytes : 0) - reservation.bytes
    const held = (account.byClient.get(client) ?? 0) + change
    reservation.bytes += change
    account.total += change
    if (held === 0) {
      account.byClient.delete(client)
    } else {
      account.byClient.set(client, held)
    }
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
  reservations.set(request, { account, client, bytes: 0 })
  countReceivedBody(request, bytes)
}

function inMegabytes(bytes: number): string {
  return `${bytes / MEGABYTE} MB`
}
