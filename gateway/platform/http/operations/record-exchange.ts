/** Describes a request with its client and its response for the request log. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { wallMilliseconds } from '../../clock.ts'
import type { RenderedAnswer } from '../errors/render-error.ts'
import type { UnknownField } from '../validation/unknown-fields.ts'
import type { Exchange, PartnerIdentity, RequestGuards } from './served-operation.ts'
import type { StreamedAnswer } from './streamed-response.ts'

const callers = new WeakMap<FastifyRequest, PartnerIdentity>()

/** Also of a request that is rejected although its client is known, because its token has expired for example. */
export function rememberCaller(request: FastifyRequest, caller: PartnerIdentity): void {
  callers.set(request, caller)
}

/** The client of a request, where it is known. */
export function callerOf(request: FastifyRequest): PartnerIdentity | undefined {
  return callers.get(request)
}

/** So that verifying tokens of broken requests, which count against no other limit, takes no noticeable time. */
const IDENTIFIED_PER_SECOND_MAX = 20

/** Identifies the clients of requests that cannot be parsed: they are rejected before their token is verified. */
export function createCallerIdentifier({
  authenticate,
}: Pick<RequestGuards<PartnerIdentity, never>, 'authenticate'>): (request: FastifyRequest) => Promise<void> {
  let current = { second: 0, identified: 0 }
  return async (request) => {
    const second = Math.floor(wallMilliseconds() / 1000)
    const identified = second === current.second ? current.identified : 0
    if (callers.has(request) || identified >= IDENTIFIED_PER_SECOND_MAX) {
      return
    }
    current = { second, identified: identified + 1 }
    const caller = await authenticate(request.headers.authorization).catch(() => undefined)
    if (caller !== undefined) {
      rememberCaller(request, caller)
    }
  }
}

export function exchangeOf(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answered: { readonly answer: RenderedAnswer | StreamedAnswer; readonly unknownFields: readonly UnknownField[] },
): Exchange {
  const { answer, unknownFields } = answered
  return {
    id: request.id,
    caller: callers.get(request),
    operation,
    method: request.method,
    url: request.url,
    headers: request.headers,
    params: request.params,
    body: request.body,
    status: answer.status,
    answer: 'body' in answer ? answer.body : null,
    unknownFields,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
  }
}
