/** Pools connections to banks with our client certificate, and replaces them without interruption when it changes. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import type { TppIdentity } from '../certificates/tpp-certificates.ts'
import type { BankCallLimits } from './bank-call-limits.ts'

/** The dispatcher for new calls. */
export type BankConnectionPool = {
  current(): Dispatcher
  /** Waits for calls in flight, also on replaced connections. */
  close(): Promise<void>
}

/** Shorter than the idle timeout of banks (60 s and more), so that no order is sent on a closing connection. */
const KEEP_ALIVE_MILLISECONDS = 30_000

/** Opens the pool; `identity` returns our current certificate and is called for each request. */
export function openBankConnectionPool(
  limits: BankCallLimits,
  identity: () => Pick<TppIdentity, 'qwac' | 'authorities'>,
): BankConnectionPool {
  let used = identity()
  let agent = openAgent(limits, used)
  const retiring = new Set<Promise<void>>()
  return {
    current: () => {
      const wanted = identity()
      if (wanted.qwac !== used.qwac || wanted.authorities !== used.authorities) {
        const closing = agent.close().finally(() => retiring.delete(closing))
        retiring.add(closing)
        used = wanted
        agent = openAgent(limits, used)
      }
      return agent
    },
    close: async () => {
      await Promise.all([agent.close(), ...retiring])
    },
  }
}

/** The agent ignores proxy variables: calls go directly to the bank. */
function openAgent(limits: BankCallLimits, identity: Pick<TppIdentity, 'qwac' | 'authorities'>): Agent {
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
function secureContextOf({ qwac, authorities }: Pick<TppIdentity, 'qwac' | 'authorities'>): SecureContext {
  return createSecureContext({
    // PSD2 interfaces require TLS 1.2.
    minVersion: 'TLSv1.2',
    ...(authorities === null ? {} : { ca: [...getCACertificates('default'), authorities] }),
    ...(qwac === null ? {} : { cert: qwac.certificatePem, key: qwac.keyPem }),
  })
}
