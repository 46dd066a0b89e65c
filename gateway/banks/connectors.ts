/** The connectors there are, one line each, by the name that a bank's row carries. */

import type { Bank, BankProfile, CarriedParts } from './bank.ts'
import { isSafeAddress } from './bank-links.ts'
import { berlinGroup } from './berlin-group/connector.ts'
import { readDialect } from './berlin-group/dialect.ts'
import { carriedByProfile } from './berlin-group/order-body.ts'
import { probeBerlinGroup } from './berlin-group/probe/probe-berlin-group.ts'
import type { ConnectorFactory } from './connector.ts'
import type { ConnectorTools } from './connector-tools.ts'
import { carriedInFiles, iso20022 } from './iso20022/connector.ts'
import { readFileDialect } from './iso20022/dialect.ts'
import { isFileAddress } from './iso20022/open-channel.ts'
import type { ProbeOptions, ProbeReport } from './probe-report.ts'

/** How to make a connector, and how it checks the settings that only it understands; that throws when they are wrong. */
export type ConnectorKind = {
  readonly make: ConnectorFactory
  readonly checkDialect: (dialect: unknown) => unknown
  readonly carries: (profile: BankProfile) => CarriedParts
  /** Whether an address is one that it reaches safely, and what is said of any other: that it is not this. */
  readonly reaches: (address: string) => boolean
  readonly addressForm: string
  /** Makes harmless calls to a bank and tells which settings they suggest; absent where there is nothing to ask. */
  readonly probe?: (tools: ConnectorTools, bank: Bank, options: ProbeOptions) => Promise<ProbeReport>
}

export const connectorsByName: Readonly<Record<string, ConnectorKind>> = {
  'berlin-group': {
    make: berlinGroup,
    checkDialect: readDialect,
    carries: carriedByProfile,
    reaches: isSafeAddress,
    addressForm: 'https (or http on loopback), or ends with a slash',
    probe: probeBerlinGroup,
  },
  iso20022: {
    make: iso20022,
    checkDialect: readFileDialect,
    carries: carriedInFiles,
    reaches: isFileAddress,
    addressForm: 'file:///folder or sftp://user@host/folder, or holds a password, or ends with a slash',
  },
}

/** A kind by its name; names come from rows, and one may be called like a member of every object. */
export function connectorKind(name: string): ConnectorKind | undefined {
  return Object.hasOwn(connectorsByName, name) ? connectorsByName[name] : undefined
}
