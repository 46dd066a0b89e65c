/** Returns which optional fields of an order are sent to its bank, whatever the bank's standard. */
import type { Bank, SupportedOrderFields } from '../connector/bank.ts'
import { connectorKind } from './connector-registry.ts'

/** The fields that the bank's connector supports. Throws for an unknown connector. */
export function supportedOrderFields({
  connector,
  profile,
}: Pick<Bank, 'connector' | 'profile'>): SupportedOrderFields {
  const kind = connectorKind(connector)
  if (kind === undefined) {
    throw new Error(`There is no connector called ${connector}`)
  }
  return kind.carries(profile)
}
