/** Keeps the connections to banks: they show our certificate, and are replaced without a break when it changes. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import type { BankIdentity } from '../certificates/tpp-certificates.ts'
import type { BankFetchLimits } from './bank-call-limits.ts'

/** The connections that new calls take. */
export type BankAgents = {
  current(): Dispatcher
  /** Lets calls under way finish, on old connections too. */
  close(): Promise<void>
}

/** An idle connection is given up before banks' front ends do so (60 s and more), lest an order meets a closing one. */
const KEEP_ALIVE_MILLISECONDS = 30_000

/** Opens them; `identity` tells what banks are to know us by, at each call. */
export function openBankAgents(
  limits: BankFetchLimits,
  identity: () => Pick<BankIdentity, 'qwac' | 'authorities'>,
): BankAgents {
  let shown = identity()
  let agent = openAgent(limits, shown)
  const retiring = new Set<Promise<void>>()
  return {
    current: () => {
      const wanted = identity()
      if (wanted.qwac !== shown.qwac || wanted.authorities !== shown.authorities) {
        const closing = agent.close().finally(() => retiring.delete(closing))
        retiring.add(closing)
        shown = wanted
        agent = openAgent(limits, shown)
      }
      return agent
    },
    close: async () => {
      await Promise.all([agent.close(), ...retiring])
    },
  }
}

/** The agent reads no proxy variables: calls go to the bank itself, or nowhere. */
function openAgent(limits: BankFetchLimits, identity: Pick<BankIdentity, 'qwac' | 'authorities'>): Agent {
  return new Agent({
    connections: limits.connectionsPerHostMax,
    // One request at a time on a connection: behind a slow answer nothing else may wait.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: limits.connectMilliseconds, secureContext: secureContextOf(identity) },
    headersTimeout: limits.headersMilliseconds,
    bodyTimeout: limits.bodyMilliseconds,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
  })
}

/** One for all connections: reading every authority's certificate takes longer than a handshake. */
function secureContextOf({ qwac, authorities }: Pick<BankIdentity, 'qwac' | 'authorities'>): SecureContext {
  const everybodys = getCACertificates('default')
  return createSecureContext({
    // Banks accept nothing older (PSD2 interfaces demand TLS 1.2), nor do we.
    minVersion: 'TLSv1.2',
    ca: authorities === null ? everybodys : [...everybodys, authorities],
    ...(qwac === null ? {} : { cert: qwac.certificatePem, key: qwac.keyPem }),
  })
}
