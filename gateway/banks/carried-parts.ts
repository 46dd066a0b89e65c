/** Tells which parts of an order its bank is told, whatever language it speaks. */

import { connectorKind } from './connectors.ts'
import type { Bank, CarriedParts } from './directory/bank.ts'

/** Asks the connector, which knows how the bank's payments are written. */
export function carriedParts({ connector, profile }: Pick<Bank, 'connector' | 'profile'>): CarriedParts {
  const kind = connectorKind(connector)
  if (kind === undefined) {
    throw new Error(`There is no connector called ${connector}`)
  }
  return kind.carries(profile)
}
