/** Sends deliveries to endpoints: persistent connections to validated addresses, no redirects, ten seconds in total. */
import { createSecureContext, getCACertificates } from 'node:tls'
import type { Pool } from 'undici'
import { monotonicMilliseconds } from '../../../platform/clock.ts'
import { createInFlightCounter } from '../../../platform/concurrency.ts'
import { resultInTime } from '../../../platform/wait-until.ts'
import { openConnectionPools, POOL_LIMITS, type PoolLimits } from './connection-pools.ts'
import { DestinationNotAllowed, DestinationNotFound, openDestinationLookup } from './destination-lookup.ts'
import { type DestinationRules, openDestinationPolicy } from './destination-policy.ts'
import { type DeliveryRequest, type EndpointResponse, NoResponseError, postRequest } from './post-request.ts'

export type AttemptOutcome =
  | ({ readonly kind: 'answered' } & EndpointResponse)
  /** No response: the network, TLS, a name without address, or a timeout. Retryable. */
  | { readonly kind: 'unanswered'; readonly error: string }
  /** The destination is not allowed, and nothing was sent. Not retryable. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The partner is disabled, and nothing was sent. Retryable. */
  | { readonly kind: 'disabled'; readonly error: string }

export type Attempt = AttemptOutcome & { readonly milliseconds: number }

export type WebhookDispatcher = {
  /** Posts once. The caller interprets the status of the response. Throws errors that are not the endpoint's. */
  post(posting: DeliveryRequest): Promise<Attempt>
  /** Resolves when the attempts in flight have ended. */
  close(): Promise<void>
}

export type DispatchSettings = DestinationRules & {
  /** Certificates (PEM) of authorities trusted in addition to the public ones; null for none. */
  readonly trustedCertificates: string | null
  /** Name servers to query instead of the machine's, e.g. `127.0.0.1:5353`. */
  readonly nameServers?: readonly string[]
  readonly limits?: Partial<DispatchLimits>
}

export type DispatchLimits = PoolLimits & {
  /** In total: DNS, connection, TLS, request, and the response as far as it is read. */
  readonly attemptMilliseconds: number
}

const DISPATCH_LIMITS: DispatchLimits = {
  ...POOL_LIMITS,
  /** The timeout that the API documentation promises to endpoints. */
  attemptMilliseconds: 10_000,
}

const hostNotFound = () => new NoResponseError('The host was not found in time')

/** Opens the dispatcher. Proxy variables are ignored. Throws when a network or a certificate cannot be parsed. */
export function openWebhookDispatcher(settings: DispatchSettings): WebhookDispatcher {
  const limits = { ...DISPATCH_LIMITS, ...settings.limits }
  const destinations = openDestinationPolicy(settings)
  const lookup = openDestinationLookup(destinations, settings.nameServers)
  const pools = openConnectionPools(lookup, secureContextOf(settings), limits)
  const underWay = createInFlightCounter()
  /** Posts without awaiting when the pool is open. */
  const answerTo = (posting: DeliveryRequest, until: number): Promise<EndpointResponse> => {
    const destination = destinations.read(posting.target)
    if ('problem' in destination) {
      throw new DestinationNotAllowed(destination.problem)
    }
    const found = pools.of(destination)
    const millisecondsLeft = () => until - monotonicMilliseconds()
    const postBy = (pool: Pool) => postRequest(pool, destination, posting, millisecondsLeft())
    return found instanceof Promise ? resultInTime(found, millisecondsLeft(), hostNotFound).then(postBy) : postBy(found)
  }
  return {
    post: async (posting) => {
      const begun = monotonicMilliseconds()
      underWay.begin()
      try {
        const { status, answer } = await answerTo(posting, begun + limits.attemptMilliseconds)
        return { kind: 'answered', status, answer, milliseconds: millisecondsSince(begun) }
      } catch (error) {
        return { ...failureOutcome(error), milliseconds: millisecondsSince(begun) }
      } finally {
        underWay.end()
      }
    },
    close: async () => {
      await underWay.none()
      await pools.close()
    },
  }
}

function millisecondsSince(begun: number): number {
  return Math.round(monotonicMilliseconds() - begun)
}

/** Classifies an attempt without a response. Throws errors that are not the endpoint's fault. */
function failureOutcome(error: unknown): AttemptOutcome {
  if (error instanceof DestinationNotAllowed) {
    return { kind: 'refused', error: error.message }
  }
  if (error instanceof DestinationNotFound || error instanceof NoResponseError) {
    return { kind: 'unanswered', error: error.message }
  }
  throw error
}

/** One context for all connections: loading all CA certificates takes longer than a handshake. Node shares its own. */
function secureContextOf({ trustedCertificates }: DispatchSettings) {
  return createSecureContext(
    trustedCertificates === null ? {} : { ca: [...getCACertificates('default'), trustedCertificates] },
  )
}
