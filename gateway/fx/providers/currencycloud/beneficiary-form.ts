/** Maps beneficiaries to form fields, and parses funding accounts. */
import { checkAccountNumber } from '../../../countries/account-number.ts'
import type { Beneficiary, BeneficiaryPart, HolderAddress, IntermediaryAccount } from '../beneficiary.ts'
import type { FormFields } from './form-encoding.ts'
import { isRoutingCode, routingCodes } from './routing-codes.ts'
import type * as wire from './wire.ts'

/** The form fields of a beneficiary, without our reference. */
export function beneficiaryForm(beneficiary: Beneficiary): FormFields {
  const { account, address, bankCountry, clearingCode } = beneficiary
  return {
    bank_country: bankCountry,
    currency: beneficiary.currency,
    ...('iban' in account ? { iban: account.iban } : { account_number: account.bban }),
    bic_swift: beneficiary.bic,
    ...(clearingCode === undefined ? {} : routingCodes(bankCountry, clearingCode)),
    'payment_types[]': beneficiary.method,
    beneficiary_entity_type: beneficiary.entityType,
    beneficiary_company_name: beneficiary.name,
    beneficiary_country: address.country,
    beneficiary_address: address.street,
    beneficiary_city: address.city,
    beneficiary_postcode: address.postCode,
    ...(beneficiary.taxCode === undefined
      ? {}
      : { beneficiary_identification_type: 'others', beneficiary_identification_value: beneficiary.taxCode }),
  }
}

/** Our beneficiary fields by the provider's field names, in errors. */
const PART_BY_FIELD: Readonly<Record<string, BeneficiaryPart>> = {
  name: 'name',
  bank_account_holder_name: 'name',
  beneficiary_company_name: 'name',
  account_number: 'bban',
  iban: 'iban',
  bic_swift: 'bic',
  bank_country: 'bankCountry',
  bank_account_country: 'bankCountry',
  currency: 'currency',
  routing_code: 'clearingCode',
  routing_code_type_1: 'clearingCode',
  routing_code_value_1: 'clearingCode',
  routing_code_type_2: 'clearingCode',
  routing_code_value_2: 'clearingCode',
  beneficiary_country: 'country',
  beneficiary_address: 'address.street',
  beneficiary_city: 'address.city',
  beneficiary_postcode: 'address.postCode',
  beneficiary_state_or_province: 'address.state',
  beneficiary_identification_type: 'taxCode',
  beneficiary_identification_value: 'taxCode',
}

/** Our name of a provider's field; undefined if it has none. */
export function partOfField(field: string): BeneficiaryPart | undefined {
  return isRoutingCode(field) ? 'clearingCode' : Object.hasOwn(PART_BY_FIELD, field) ? PART_BY_FIELD[field] : undefined
}

/** The account that is domestic to a country, preferably one for the local clearing; null without one. */
export function intermediaryAccountOf(
  accounts: readonly wire.FundingAccount[],
  { currency, country }: { readonly currency: string; readonly country: string },
): IntermediaryAccount | null {
  const domestic = accounts.filter((one) => one.currency === currency && countryOf(one.bank_country) === country)
  const account = domestic.find(({ payment_type }) => payment_type === 'regular') ?? domestic[0]
  if (account === undefined) {
    return null
  }
  const isIban = account.account_number_type.toLowerCase() === 'iban'
  const isBic = account.routing_code_type === 'bic_swift'
  const number = account.account_number.replace(/\s/g, '')
  const clearingCode = isBic ? null : account.routing_code || null
  return {
    country,
    currency,
    iban: isIban ? number : null,
    bban: isIban ? null : domesticNumberOf(country, number, clearingCode ?? ''),
    bic: isBic ? account.routing_code || null : null,
    clearingCode,
    holder: { name: account.account_holder_name, address: addressOf(account.bank_address ?? '') },
  }
}

/**
 * The provider reports the code of the bank separately; Nordic numbers begin with it. A Danish one without it would be taken
 * for that of another bank, so the number with the code counts where it is valid: one that has it already is then too long.
 */
function domesticNumberOf(country: string, number: string, clearingCode: string): string {
  const checked = checkAccountNumber(country, clearingCode + number)
  return checked.ok ? checked.bban : number
}

/** The provider uses UK instead of the ISO code GB. */
function countryOf(bankCountry: string): string {
  return bankCountry === 'UK' ? 'GB' : bankCountry
}

/** Parses `12 Steward Street, The Steward Building, London, E1 6FQ, GB`, or the Nordic form `…, 0152 Oslo, NO`. */
function addressOf(line: string): HolderAddress {
  const parts = line
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const country = /^[A-Z]{2}$/.test(parts.at(-1) ?? '') ? countryOf(parts.pop() ?? '') : null
  const [, nordicCode, nordicCity] = NORDIC_PLACE.exec(parts.at(-1) ?? '') ?? []
  if (nordicCode !== undefined && nordicCity !== undefined) {
    return { street: parts.slice(0, -1).join(', ') || null, city: nordicCity, postCode: nordicCode, country }
  }
  const postCode = /\d/.test(parts.at(-1) ?? '') && parts.length > 2 ? (parts.pop() ?? null) : null
  const city = parts.length > 1 ? (parts.pop() ?? null) : null
  return { street: parts.join(', ') || null, city, postCode, country }
}

const NORDIC_PLACE = /^(\d{3} ?\d{1,2}) (\p{Lu}\D*)$/u
