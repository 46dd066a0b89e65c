/** Validates directory rows and joins a row with its profile. */
import { countryRules } from '../../countries/served-countries.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Bank } from '../connector/bank.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import { isLinkHost } from '../transport/bank-urls.ts'
import { type DirectoryEntry, upsertBank } from './bank-store.ts'
import { connectorKind, connectorsByName } from './connector-registry.ts'

export type NewBank = Pick<Bank, 'bic' | 'name' | 'countryCode' | 'connector' | 'address' | 'linkHosts'> & {
  readonly profile: string
  /** The named pair of certificates; absent for the pair without a name. */
  readonly certificate?: string | null
  readonly enabled?: boolean
}

/** Inserts or updates a bank of the directory. Throws an error that names what is wrong with it. */
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
    certificate: bank.certificate ?? null,
    enabled: bank.enabled ?? true,
  }
  const found = resolveBank(entry, profiles)
  const fault = addressVersionError(entry) ?? ('fault' in found ? found.fault : undefined)
  if (fault !== undefined) {
    throw new Error(`Bank ${bank.bic} cannot be added to the directory: ${fault}`)
  }
  await upsertBank(database, entry)
}

/** An address that ends with what is appended to it. Rows that have one already stay in service. */
export function addressVersionError({
  connector,
  address,
}: Pick<DirectoryEntry, 'connector' | 'address'>): string | undefined {
  const baseUrl = connectorKind(connector)?.baseUrlOf(address) ?? address
  return baseUrl === address
    ? undefined
    : `the address ${address} ends with the version of the standard, which Havn appends itself; the base URL is ${baseUrl}`
}

/** The bank of a row and its profile, or why they are invalid. */
export function resolveBank(
  row: DirectoryEntry,
  profiles: ReadonlyMap<string, BankProfile>,
): { readonly bank: Bank } | { readonly fault: string } {
  const profile = profiles.get(row.profile)
  const kind = connectorKind(row.connector)
  const fault = entryErrorOf(row, profile)
  if (profile === undefined || kind === undefined || fault !== undefined) {
    return {
      fault: fault ?? `there is no profile ${row.profile}; available profiles: ${[...profiles.keys()].join(', ')}`,
    }
  }
  const { bic, name, connector, address, certificate } = row
  const bank = { bic, name, connector, address, certificate, countryCode: row.country_code, linkHosts: row.link_hosts }
  return { bank: { ...bank, profile, supports: kind.carries(profile) } }
}

/** A profile belongs to one country; its limits are in that country's currency. */
function entryErrorOf(row: DirectoryEntry, profile: BankProfile | undefined): string | undefined {
  const { bic, country_code: countryCode, connector, address } = row
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)) {
    return `${bic} is not a valid BIC`
  }
  if (!/^[A-Z]{2}$/.test(countryCode)) {
    return `${countryCode} is not a country code (ISO 3166-1 alpha-2)`
  }
  const kind = connectorKind(connector)
  if (kind !== undefined && !kind.reaches(address)) {
    return `the address ${address} is not ${kind.addressForm}`
  }
  const invalidHost = row.link_hosts.find((host) => !isLinkHost(host))
  if (invalidHost !== undefined) {
    return `${invalidHost} is not host:port`
  }
  if (profile === undefined) {
    return undefined
  }
  const currency = countryRules(countryCode)?.currency
  if (currency === undefined) {
    return `banks of ${countryCode} are not served`
  }
  if (!Object.hasOwn(profile.amountMax, currency)) {
    return `profile ${profile.name} is for another country: it has no ${currency}`
  }
  if (kind === undefined) {
    return `there is no connector ${connector}; available connectors: ${Object.keys(connectorsByName).join(', ')}`
  }
  const errors = kind.dialectErrors(profile.dialect)
  return errors.length === 0 ? undefined : `profile ${profile.name} is not usable: ${errors.join('; ')}`
}
