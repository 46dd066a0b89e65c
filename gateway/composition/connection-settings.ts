/** Derives the limits on connections of a server from the settings and from what the process may open. */

import type { GatewayContext } from '../gateway-context.ts'
import { type ConnectionSettings, descriptorsMax, limitsWithin } from '../platform/http/connection-limits.ts'

/** Requests that wait for a bank are finished before the server stops; what follows the bank's answer takes less than this. */
const AFTER_BANK_ANSWER_MILLISECONDS = 3_000

/** Behind a proxy every connection has the proxy's address, which says nothing about the client. */
export function connectionSettings({ config, metrics, log }: Pick<GatewayContext, 'config' | 'metrics' | 'log'>) {
  const { connectionsMax, connectionsPerAddressMax, trustProxy } = config
  const configured = {
    max: connectionsMax,
    maxPerAddress: trustProxy > 0 ? Number.POSITIVE_INFINITY : connectionsPerAddressMax,
  }
  const descriptors = descriptorsMax()
  const limits = limitsWithin(configured, descriptors)
  if (limits.max < configured.max) {
    log.warn(
      { descriptors, connections: limits.max },
      'connections are limited further, as the process may open few files',
    )
  }
  return {
    ...limits,
    onRefused: (limit) => metrics.refusedConnections.inc({ limit }),
    stopMillisecondsMax: config.bankAnswerTimeoutSeconds * 1_000 + AFTER_BANK_ANSWER_MILLISECONDS,
  } satisfies ConnectionSettings
}
