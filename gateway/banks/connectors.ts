/** The connectors there are, one line each, by the name that a bank's row carries. */

import type { ConnectorFactory } from './connector/connector.ts'
import type { ConnectorTools } from './connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from './connector/probe-report.ts'
import type { Bank, BankProfile, CarriedParts } from './directory/bank.ts'
import { berlinGroup } from './standards/berlin-group/connector.ts'
import { readDialect } from './standards/berlin-group/dialect.ts'
import { carriedByProfile } from './standards/berlin-group/payments/order-body.ts'
import { probeBerlinGroup } from './standards/berlin-group/probe/probe-berlin-group.ts'
import { carriedInFiles, iso20022 } from './standards/iso20022/connector.ts'
import { readFileDialect } from './standards/iso20022/file-dialect.ts'
import { isFileAddress } from './standards/iso20022/with-file-channel.ts'
import { isSafeAddress } from './transport/bank-urls.ts'

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
