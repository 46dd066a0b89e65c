/** Derives a server's connection limits from the settings and from the process's limit on file descriptors. */

import type { Context } from '../../gateway/context.ts'
import {
  type ConnectionSettings,
  descriptorsMax,
  limitsWithinDescriptors,
} from '../../gateway/platform/http/client-limits.ts'

/**
 * Requests that wait for a bank are finished before the server stops; the work after the bank's response takes less.
 */
const AFTER_BANK_ANSWER_MILLISECONDS = 3_000

/** Behind a proxy every connection has the proxy's address, so the limit per address is lifted. */
export function connectionSettings({ config, metrics, log }: Context) {
  const { connectionsMax, connectionsPerAddressMax, trustProxy } = config
  const configured = {
    max: connectionsMax,
    maxPerAddress: trustProxy > 0 ? Number.POSITIVE_INFINITY : connectionsPerAddressMax,
  }
  const descriptors = descriptorsMax()
  const limits = limitsWithinDescriptors(configured, descriptors)
  if (limits.max < configured.max) {
    log.warn(
      { descriptors, connections: limits.max },
      'the connection limit was lowered to fit the limit on open files',
    )
  }
  return {
    ...limits,
    onRejected: (limit) => metrics.rejectedConnections.inc({ limit }),
    stopMillisecondsMax: config.bankAnswerTimeoutSeconds * 1_000 + AFTER_BANK_ANSWER_MILLISECONDS,
  } satisfies ConnectionSettings
}
