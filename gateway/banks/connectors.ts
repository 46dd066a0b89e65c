/** The connectors there are, one line each, by the name that a bank's row carries. */

import type { BankProfile, CarriedParts } from './bank.ts'
import { berlinGroup } from './berlin-group/connector.ts'
import { readDialect } from './berlin-group/dialect.ts'
import { carriedByProfile } from './berlin-group/order-body.ts'
import type { ConnectorFactory } from './connector.ts'

/** How to make a connector, and how it checks the settings that only it understands; that throws when they are wrong. */
export type ConnectorKind = {
  readonly make: ConnectorFactory
  readonly checkDialect: (dialect: unknown) => unknown
  readonly carries: (profile: BankProfile) => CarriedParts
}

export const connectorsByName: Readonly<Record<string, ConnectorKind>> = {
  'berlin-group': { make: berlinGroup, checkDialect: readDialect, carries: carriedByProfile },
}

/** A kind by its name; names come from rows, and one may be called like a member of every object. */
export function connectorKind(name: string): ConnectorKind | undefined {
  return Object.hasOwn(connectorsByName, name) ? connectorsByName[name] : undefined
}
