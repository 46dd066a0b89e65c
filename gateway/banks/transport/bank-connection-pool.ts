/** Pools connections to banks with our client certificate, and replaces them without interruption when it changes. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import { Agent, type Dispatcher } from 'undici'
import type { TppIdentity } from '../certificates/tpp-certificates.ts'
import { type BankCallLimiterSettings, toBankUnreachable, withQueueTimeout } from './bank-call-limiter.ts'
import type { BankCallLimits } from './bank-call-limits.ts'

/** Our certificate for connections, and the authorities that we trust. */
export type ConnectionIdentity = Pick<TppIdentity, 'name' | 'qwac' | 'authorities'>

/** No client certificate; servers are verified with the default CAs. */
export const NO_IDENTITY: ConnectionIdentity = { name: null, qwac: null, authorities: null }

/** The dispatcher for new calls under an identity. */
export type BankConnectionPool = {
  dispatcherOf(identity: ConnectionIdentity): Dispatcher
  /** Waits for calls in flight, also on replaced connections. */
  close(): Promise<void>
}

/** Shorter than the idle timeout of banks (60 s and more), so that no order is sent on a closing connection. */
const KEEP_ALIVE_MILLISECONDS = 30_000

/** Opens the pool, which has connections of their own for each named identity. */
export function openBankConnectionPool(limits: BankCallLimits): BankConnectionPool {
  const connected = new Map<string | null, { readonly used: ConnectionIdentity; readonly agent: Agent }>()
  const retiring = new Set<Promise<void>>()
  return {
    dispatcherOf: (identity) => {
      const current = connected.get(identity.name)
      if (current?.used.qwac === identity.qwac && current.used.authorities === identity.authorities) {
        return current.agent
      }
      if (current !== undefined) {
        const closing = current.agent.close().finally(() => retiring.delete(closing))
        retiring.add(closing)
      }
      const agent = openAgent(limits, identity)
      connected.set(identity.name, { used: identity, agent })
      return agent
    },
    close: async () => {
      await Promise.all([...[...connected.values()].map(({ agent }) => agent.close()), ...retiring])
    },
  }
}

/** The agent ignores proxy variables: calls go directly to the bank. */
function openAgent(limits: BankCallLimits, identity: ConnectionIdentity): Agent {
  return new Agent({
    connections: limits.connectionsPerHostMax,
    // One request at a time per connection, so that a slow answer blocks no other request.
    pipelining: 1,
    allowH2: false,
    connect: {
      timeout: limits.connectMilliseconds,
      secureContext: secureContextOf(identity),
      // The default, unless an environment variable disables it for the entire process.
      rejectUnauthorized: true,
    },
    headersTimeout: limits.headersMilliseconds,
    bodyTimeout: limits.bodyMilliseconds,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
  })
}

/** One context for all connections: loading all CA certificates takes longer than a handshake. Node shares its own. */
function secureContextOf({ qwac, authorities }: ConnectionIdentity): SecureContext {
  return createSecureContext({
    // PSD2 interfaces require TLS 1.2.
    minVersion: 'TLSv1.2',
    ...(authorities === null ? {} : { ca: [...getCACertificates('default'), authorities] }),
    ...(qwac === null ? {} : { cert: qwac.certificatePem, key: qwac.keyPem }),
  })
}

/** Limits of concurrent and queued streams, and the queue timeout. */
type StreamLimiterSettings = Pick<BankCallLimiterSettings, 'queuePerBankMax' | 'queueMilliseconds'> & {
  readonly streamsPerBankMax: number
}

/** Acquires slots. */
type StreamLimiter = {
  /** Returns the idempotent release of a slot. Throws `BankUnreachable` with `sent` false on timeout. */
  take(bic: string): Promise<() => void>
}

/** Creates the slots of each bank at its first call. */
export function createStreamLimiter(limits: StreamLimiterSettings): StreamLimiter {
  const slotsByBic = new Map<string, BulkheadPolicy>()
  return {
    take: async (bic) => {
      const slots = slotsByBic.get(bic) ?? bulkhead(limits.streamsPerBankMax, limits.queuePerBankMax)
      slotsByBic.set(bic, slots)
      const released = Promise.withResolvers<void>()
      try {
        return await withQueueTimeout(limits, (waiting, begun) => {
          const acquired = Promise.withResolvers<() => void>()
          const execution = slots.execute(() => {
            begun()
            acquired.resolve(released.resolve)
            return released.promise
          }, waiting)
          execution.catch(acquired.reject)
          return acquired.promise
        })
      } catch (error) {
        throw toBankUnreachable(error)
      }
    },
  }
}
