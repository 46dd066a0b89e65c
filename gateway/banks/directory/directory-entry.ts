/** Checks what people write into the directory, and joins a row with its profile. */
import { countryRules } from '../../countries/served-countries.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { connectorKind, connectorsByName } from '../connectors.ts'
import { isHostOfLinks } from '../transport/bank-urls.ts'
import type { Bank, BankProfile } from './bank.ts'
import { type DirectoryEntry, upsertBank } from './bank-store.ts'

/** A bank as it is put into the directory. */
export type NewBank = {
  readonly bic: string
  readonly name: string
  readonly countryCode: string
  readonly connector: string
  readonly profile: string
  readonly address: string
  readonly linkHosts: readonly string[]
  readonly enabled?: boolean
}

/** Puts a bank into the directory or changes it; the error names what is wrong with it. */
export async function putBank(
  database: Queryable,
  profiles: ReadonlyMap<string, BankProfile>,
  bank: NewBank,
): Promise<void> {
  const entry: DirectoryEntry = {
    bic: bank.bic,
    name: bank.name,
    country_code: bank.countryCode,
    connector: bank.connector,
    profile: bank.profile,
    address: bank.address,
    link_hosts: [...bank.linkHosts],
    enabled: bank.enabled ?? true,
  }
  const found = bankOf(entry, profiles)
  if ('fault' in found) {
    throw new Error(`Bank ${bank.bic} cannot be put into the directory: ${found.fault}`)
  }
  await upsertBank(database, entry)
}

/** The bank that a row and its profile make, or what keeps them from making one. */
export function bankOf(
  row: DirectoryEntry,
  profiles: ReadonlyMap<string, BankProfile>,
): { readonly bank: Bank } | { readonly fault: string } {
  const profile = profiles.get(row.profile)
  const fault = faultOf(row, profile)
  if (profile === undefined || fault !== undefined) {
    return { fault: fault ?? `there is no profile called ${row.profile}; there are ${[...profiles.keys()].join(', ')}` }
  }
  const { bic, name, connector, address } = row
  return { bank: { bic, name, connector, address, countryCode: row.country_code, linkHosts: row.link_hosts, profile } }
}

function faultOf(row: DirectoryEntry, profile: BankProfile | undefined): string | undefined {
  const strangeHost = row.link_hosts.find((host) => !isHostOfLinks(host))
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(row.bic)) {
    return `${row.bic} is no BIC`
  }
  if (!/^[A-Z]{2}$/.test(row.country_code)) {
    return `${row.country_code} is no country code (ISO 3166-1 alpha-2)`
  }
  const kind = connectorKind(row.connector)
  if (kind !== undefined && !kind.reaches(row.address)) {
    return `the address ${row.address} is not ${kind.addressForm}`
  }
  if (strangeHost !== undefined) {
    return `${strangeHost} is no host:port`
  }
  return profile === undefined
    ? undefined
    : (faultOfCountry(row.country_code, profile) ?? faultOfDialect(row.connector, profile))
}

/** A profile belongs to a country, and its limits are in that country's currency. */
function faultOfCountry(countryCode: string, { name, amountMax }: BankProfile): string | undefined {
  const currency = countryRules(countryCode)?.currency
  if (currency === undefined) {
    return `banks of ${countryCode} are not served`
  }
  return Object.hasOwn(amountMax, currency)
    ? undefined
    : `profile ${name} is for another country: it has no ${currency}`
}

function faultOfDialect(connector: string, profile: BankProfile): string | undefined {
  const kind = connectorKind(connector)
  if (kind === undefined) {
    return `there is no connector called ${connector}; there are ${Object.keys(connectorsByName).join(', ')}`
  }
  try {
    kind.checkDialect(profile.dialect)
    return undefined
  } catch (error) {
    return `profile ${profile.name}: ${error instanceof Error ? error.message : String(error)}`
  }
}
