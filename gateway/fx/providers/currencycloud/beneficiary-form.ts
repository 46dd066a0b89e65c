/** Writes receivers as the provider takes them, and reads what it demands of them. */
import type {
  Beneficiary,
  BeneficiaryPart,
  HolderAddress,
  IntermediaryAccount,
  RequiredDetails,
} from '../beneficiary.ts'
import type { Fields } from './form-encoding.ts'
import { isRoutingCode, routingCodes } from './routing-codes.ts'
import type * as wire from './wire.ts'

/** What makes a receiver one for the provider, without what it is called by us. */
export function beneficiaryForm(beneficiary: Beneficiary): Fields {
  const { account, address, bankCountry, clearingCode } = beneficiary
  return {
    bank_country: bankCountry,
    currency: beneficiary.currency,
    ...('iban' in account ? { iban: account.iban } : { account_number: account.bban }),
    bic_swift: beneficiary.bic,
    ...(clearingCode === undefined ? {} : routingCodes(bankCountry, clearingCode)),
    'payment_types[]': beneficiary.way,
    beneficiary_entity_type: beneficiary.entityType,
    ...nameFields(beneficiary),
    beneficiary_country: address.country,
    beneficiary_address: address.street,
    beneficiary_city: address.city,
    beneficiary_postcode: address.postCode,
    beneficiary_state_or_province: address.state,
    ...(beneficiary.taxCode === undefined
      ? {}
      : { beneficiary_identification_type: 'others', beneficiary_identification_value: beneficiary.taxCode }),
  }
}

/** The provider wants persons by first and last name; the last word is taken for the latter. */
export function personNames(name: string): { readonly first: string; readonly last: string } {
  const words = name.trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  return { first: words.length > 1 ? words.slice(0, -1).join(' ') : last, last }
}

function nameFields({ entityType, name }: Beneficiary): Fields {
  if (entityType === 'company') {
    return { beneficiary_company_name: name }
  }
  const { first, last } = personNames(name)
  return { beneficiary_first_name: first, beneficiary_last_name: last }
}

/** The parts by the provider's names of fields, in demands as in errors. */
export const PART_BY_FIELD: Readonly<Record<string, BeneficiaryPart>> = {
  name: 'name',
  bank_account_holder_name: 'name',
  beneficiary_company_name: 'name',
  beneficiary_first_name: 'name',
  beneficiary_last_name: 'name',
  acct_number: 'bban',
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

/** The part that a field is, if it has a name here. */
export function partOfField(field: string): BeneficiaryPart | undefined {
  return isRoutingCode(field) ? 'clearingCode' : Object.hasOwn(PART_BY_FIELD, field) ? PART_BY_FIELD[field] : undefined
}

/** What one kind of receiver has to tell; null for kinds that nobody knows. */
export function requiredDetailsOf({
  payment_type: paymentType,
  beneficiary_entity_type: entityType,
  ...rest
}: wire.RequiredDetail): RequiredDetails | null {
  if (
    (paymentType !== 'priority' && paymentType !== 'regular') ||
    (entityType !== 'company' && entityType !== 'individual')
  ) {
    return null
  }
  const demands = Object.entries(rest).flatMap(([field, pattern]) =>
    typeof pattern === 'string' ? [[field, pattern] as const] : [],
  )
  const known = demands.flatMap(([field, pattern]) => {
    const part = partOfField(field)
    return part === undefined ? [] : [[part, pattern] as const]
  })
  return {
    paymentType,
    entityType,
    fields: Object.fromEntries(known),
    further: Object.fromEntries(demands.filter(([field]) => partOfField(field) === undefined)),
  }
}

/** The account to pay to that is domestic to a country, one for the local clearing if there is one. */
export function intermediaryAccountOf(
  accounts: readonly wire.FundingAccount[],
  { currency, country }: { readonly currency: string; readonly country: string },
): IntermediaryAccount | null {
  const there = accounts.filter((one) => one.currency === currency && countryOf(one.bank_country) === country)
  const account = there.find(({ payment_type }) => payment_type === 'regular') ?? there[0]
  if (account === undefined) {
    return null
  }
  const isIban = account.account_number_type.toLowerCase() === 'iban'
  const isBic = account.routing_code_type === 'bic_swift'
  const number = account.account_number.replace(/\s/g, '')
  return {
    country,
    currency,
    iban: isIban ? number : null,
    bban: isIban ? null : number,
    bic: isBic ? account.routing_code || null : null,
    clearingCode: isBic ? null : account.routing_code || null,
    holder: { name: account.account_holder_name, address: addressOf(account.bank_address ?? '') },
    bankName: account.bank_name || null,
  }
}

/** The provider writes the United Kingdom in its own way. */
function countryOf(bankCountry: string): string {
  return bankCountry === 'UK' ? 'GB' : bankCountry
}

/** Reads `12 Steward Street, The Steward Building, London, E1 6FQ, GB`, or `…, 0152 Oslo, NO` as Nordic banks write it. */
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
