/** Registers the connectors under the names that the rows of banks refer to. */

import type { ConnectorFactory } from '../connector/connector.ts'
import type { ConnectorDependencies } from '../connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from '../connector/probe-report.ts'
import { berlinGroup } from '../standards/berlin-group/connector.ts'
import { parseDialect } from '../standards/berlin-group/dialect.ts'
import { supportedFieldsOf } from '../standards/berlin-group/payments/order-body.ts'
import { probeBerlinGroup } from '../standards/berlin-group/probe/probe-berlin-group.ts'
import { iso20022, supportedFieldsInFiles } from '../standards/iso20022/connector.ts'
import { parseFileDialect } from '../standards/iso20022/file-dialect.ts'
import { isFileUrl } from '../standards/iso20022/with-file-channel.ts'
import { isSafeBaseUrl } from '../transport/bank-urls.ts'
import type { Bank, BankProfile, SupportedOrderFields } from './bank.ts'

/** How to create a connector, and how to validate its settings. `checkDialect` throws for invalid ones. */
export type ConnectorKind = {
  readonly make: ConnectorFactory
  readonly checkDialect: (dialect: unknown) => unknown
  readonly carries: (profile: BankProfile) => SupportedOrderFields
  /** Whether the connector can use an address safely; `addressForm` ends the error "the address … is not …". */
  readonly reaches: (address: string) => boolean
  readonly addressForm: string
  /** Makes read-only calls to a bank and reports which settings they suggest; absent where there are none to make. */
  readonly probe?: (tools: ConnectorDependencies, bank: Bank, options: ProbeOptions) => Promise<ProbeReport>
}

export const connectorsByName: Readonly<Record<string, ConnectorKind>> = {
  'berlin-group': {
    make: berlinGroup,
    checkDialect: parseDialect,
    carries: supportedFieldsOf,
    reaches: isSafeBaseUrl,
    addressForm: 'https (or http on loopback), or ends with a slash',
    probe: probeBerlinGroup,
  },
  iso20022: {
    make: iso20022,
    checkDialect: parseFileDialect,
    carries: supportedFieldsInFiles,
    reaches: isFileUrl,
    addressForm: 'file:///folder or sftp://user@host/folder, or holds a password, or ends with a slash',
  },
}

/** A kind by its name. `hasOwn`, because names come from rows and may equal a property of `Object.prototype`. */
export function connectorKind(name: string): ConnectorKind | undefined {
  return Object.hasOwn(connectorsByName, name) ? connectorsByName[name] : undefined
}
