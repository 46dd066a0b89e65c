/** Finds logged requests: lists with filters, one by its id, and the one that created a payment. */
import type { Context } from '../context.ts'
import { isId, lowestIdAt } from '../platform/ids.ts'
import { type ListedRequest, type LoggedRequest, type RequestFilter, timeOfRequest } from './logged-request.ts'
import { findOrderingRequest, findRequest, findSearchEnd, searchRequests } from './request-log-store.ts'

/** Whose requests a user sees, and whether also those of payrolls. */
export type RequestScope = Pick<RequestFilter, 'partnerId' | 'payrolls'>

export type FoundRequests = {
  readonly requests: readonly ListedRequest[]
  /** Where the search goes on; undefined at its end. */
  readonly next: string | undefined
}

/** A search for a rare path does not read a whole month at once, but so many requests of a partner for a page. */
const READ_MAX = 5_000
/** Of each partner, when those of all are searched. */
const READ_OF_EACH_MAX = 500
/** A request takes less than this until it has stored what it creates. */
const CREATED_WITHIN = { seconds: 90 }

/** A page of requests, newest first; fewer than `limit` with a `next` when the search has not read all yet. */
export async function findRequests(
  { database }: Context,
  filter: RequestFilter,
  limit: number,
): Promise<FoundRequests> {
  const readPerPartner = Math.max(limit + 1, filter.partnerId === null ? READ_OF_EACH_MAX : READ_MAX)
  const found = await searchRequests(database, filter, { rows: limit + 1, readPerPartner })
  if (found.length > limit) {
    const requests = found.slice(0, limit)
    return { requests, next: requests.at(-1)?.id }
  }
  const end = await findSearchEnd(database, filter, readPerPartner)
  return { requests: found.filter(({ id }) => end === undefined || id >= end), next: end }
}

/** The request with this `svc-request-id`; undefined where there is none in the scope. */
export async function findRequestById(
  { database }: Context,
  scope: RequestScope,
  id: string,
): Promise<(ListedRequest & LoggedRequest) | undefined> {
  return isId(id) ? await findRequest(database, scope, id) : undefined
}

/** The payment that a request created or asked for. */
export async function findPaymentOfRequest(
  context: Context,
  partnerId: string | null,
  id: string,
): Promise<string | undefined> {
  const subject = (await findRequestById(context, { partnerId, payrolls: false }, id))?.subject
  return subject?.type === 'payment' ? subject.id : undefined
}

/**
 * The request that created a payment. The ids of both have their time, so that few requests before the payment are read
 * and no index on what requests are about is needed, which each request would have to write.
 */
export async function findRequestThatCreated(
  { database }: Context,
  payment: { readonly partnerId: string; readonly id: string },
): Promise<Pick<LoggedRequest, 'id' | 'milliseconds'> | undefined> {
  const fromId = lowestIdAt(timeOfRequest(payment).subtract(CREATED_WITHIN))
  return await findOrderingRequest(database, payment, { fromId, beforeId: payment.id })
}
