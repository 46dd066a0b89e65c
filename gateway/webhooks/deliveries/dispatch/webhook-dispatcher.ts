/** Sends deliveries to endpoints: kept-alive connections to checked addresses, no redirects, ten seconds in all. */
import { createSecureContext, getCACertificates } from 'node:tls'
import type { Pool } from 'undici'
import { steadyMilliseconds } from '../../../platform/clock.ts'
import { countUnderWay } from '../../../platform/in-flight-counter.ts'
import { openPools, POOL_LIMITS, type PoolLimits } from '../../dispatch-pools.ts'
import { DestinationRefused, DestinationUnknown, openDestinationLookup } from './destination-lookup.ts'
import { type DestinationRules, openDestinations } from './destination-policy.ts'
import { type Answer, NoAnswer, type Posting, postOnce } from './post-request.ts'

/** How one attempt ended. */
export type Outcome =
  | ({ readonly kind: 'answered' } & Answer)
  /** No answer came: the network, TLS, a name without address, or time ran out. May be tried again. */
  | { readonly kind: 'unanswered'; readonly error: string }
  /** The destination is not one that may be connected to, and nothing was sent. Never tried again. */
  | { readonly kind: 'refused'; readonly error: string }
  /** Something of ours kept it from being sent. May be tried again. */
  | { readonly kind: 'fault'; readonly error: string }

export type Attempt = Outcome & { readonly milliseconds: number }

export type Dispatch = {
  /** Posts once. What an answer's status means is for the caller to say. */
  post(posting: Posting): Promise<Attempt>
  /** Ends when the attempts under way have. */
  close(): Promise<void>
}

export type DispatchSettings = DestinationRules & {
  /** Certificates (PEM) of authorities trusted besides those that everybody trusts; null for none. */
  readonly trustedCertificates: string | null
  /** Name servers to ask instead of the machine's, e.g. `127.0.0.1:5353`. */
  readonly nameServers?: readonly string[]
  readonly limits?: Partial<DispatchLimits>
}

export type DispatchLimits = PoolLimits & {
  /** All in all: name, connection, TLS, request, and the answer as far as it is read. */
  readonly attemptMilliseconds: number
}

const DISPATCH_LIMITS: DispatchLimits = {
  ...POOL_LIMITS,
  /** What the interface grants an endpoint. */
  attemptMilliseconds: 10_000,
}

/** Opens the way out. Proxy variables are not read. Throws when a network or a certificate cannot be read. */
export function openDispatch(settings: DispatchSettings): Dispatch {
  const limits = { ...DISPATCH_LIMITS, ...settings.limits }
  const destinations = openDestinations(settings)
  const lookup = openDestinationLookup(destinations, settings.nameServers)
  const pools = openPools(lookup, secureContextOf(settings), limits)
  const underWay = countUnderWay()
  /** Posts at once to a pool that is open. */
  const answerTo = (posting: Posting, until: number): Promise<Answer> => {
    const destination = destinations.read(posting.target)
    if ('problem' in destination) {
      throw new DestinationRefused(destination.problem)
    }
    const found = pools.of(destination)
    const postBy = (pool: Pool) => postOnce(pool, destination, posting, until - steadyMilliseconds())
    return found instanceof Promise ? before(until, found).then(postBy) : postBy(found)
  }
  return {
    post: async (posting) => {
      const begun = steadyMilliseconds()
      underWay.begin()
      try {
        const { status, answer } = await answerTo(posting, begun + limits.attemptMilliseconds)
        return { kind: 'answered', status, answer, milliseconds: millisecondsSince(begun) }
      } catch (error) {
        return { ...outcomeWithout(error), milliseconds: millisecondsSince(begun) }
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
  return Math.round(steadyMilliseconds() - begun)
}

/** How an attempt without an answer ended. Throws what is no fault of the endpoint. */
function outcomeWithout(error: unknown): Outcome {
  if (error instanceof DestinationRefused) {
    return { kind: 'refused', error: error.message }
  }
  if (error instanceof DestinationUnknown || error instanceof NoAnswer) {
    return { kind: 'unanswered', error: error.message }
  }
  throw error
}

/** What is promised, unless time runs out before. */
async function before<Value>(until: number, promised: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer('The host was not found in time')), until - steadyMilliseconds())
  })
  try {
    return await Promise.race([promised, late])
  } finally {
    clearTimeout(timer)
  }
}

/** One for all connections: reading every authority's certificate takes longer than a handshake. */
function secureContextOf({ trustedCertificates }: DispatchSettings) {
  const everybodys = getCACertificates('default')
  return createSecureContext({ ca: trustedCertificates === null ? everybodys : [...everybodys, trustedCertificates] })
}
