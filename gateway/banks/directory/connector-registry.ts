/** Registers the connectors under the names that the rows of banks refer to. */
import type { Bank, SupportedOrderFields } from '../connector/bank.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import type { ConnectorFactory } from '../connector/connector.ts'
import type { ConnectorDependencies } from '../connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from '../connector/probe-report.ts'
import { berlinGroup, profileContradictions } from '../standards/berlin-group/connector.ts'
import { dialectErrors, withoutVersion } from '../standards/berlin-group/dialect.ts'
import { supportedFieldsOf } from '../standards/berlin-group/payments/order-body.ts'
import { probeBerlinGroup } from '../standards/berlin-group/probe/probe-berlin-group.ts'
import { iso20022, supportedFieldsInFiles } from '../standards/iso20022/connector.ts'
import { fileDialectErrors } from '../standards/iso20022/file-dialect.ts'
import { isFileUrl } from '../standards/iso20022/with-file-channel.ts'
import { isSafeBaseUrl } from '../transport/bank-urls.ts'

/** How to create a connector, and how to validate its settings. */
export type ConnectorKind = {
  readonly make: ConnectorFactory
  /** What is wrong with the settings; empty for valid ones. */
  readonly dialectErrors: (dialect: unknown) => readonly string[]
  /** Where the settings contradict the rest of a profile, which may be invalid otherwise. */
  readonly contradictions: (profile: unknown) => readonly string[]
  readonly carries: (profile: BankProfile) => SupportedOrderFields
  /** Whether the connector can use an address safely; `addressForm` ends the error "the address … is not …". */
  readonly reaches: (address: string) => boolean
  readonly addressForm: string
  /** The address without what the connector appends itself; the same where there is nothing to correct. */
  readonly baseUrlOf: (address: string) => string
  /** Makes read-only calls to a bank and reports which settings they suggest; absent where there are none to make. */
  readonly probe?: (tools: ConnectorDependencies, bank: Bank, options: ProbeOptions) => Promise<ProbeReport>
}

export const connectorsByName: Readonly<Record<string, ConnectorKind>> = {
  'berlin-group': {
    make: berlinGroup,
    dialectErrors,
    contradictions: profileContradictions,
    carries: supportedFieldsOf,
    reaches: isSafeBaseUrl,
    addressForm: 'https (or http on loopback), or ends with a slash',
    baseUrlOf: withoutVersion,
    probe: probeBerlinGroup,
  },
  iso20022: {
    make: iso20022,
    dialectErrors: fileDialectErrors,
    contradictions: () => [],
    carries: supportedFieldsInFiles,
    reaches: isFileUrl,
    addressForm:
      'file:///folder or sftp://user@host/folder, or holds a password or an escape that cannot be decoded, or ends with a slash',
    baseUrlOf: (address) => address,
  },
}

/** A kind by its name. `hasOwn`, because names come from rows and may equal a property of `Object.prototype`. */
export function connectorKind(name: string): ConnectorKind | undefined {
  return Object.hasOwn(connectorsByName, name) ? connectorsByName[name] : undefined
}
