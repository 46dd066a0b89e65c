/** Validates a beneficiary as the provider does before a payment: account, bank codes, name and address. */
import { currencyOf } from '../market/market.ts'
import type { Parameters } from '../protocol/operation-call.ts'
import type { FieldError } from '../protocol/provider-api-error.ts'
import { type BeneficiaryRequirements, requirementsOf } from './required-details.ts'

const BIC = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/
const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$/
const COUNTRY = /^[A-Z]{2}$/
/** Error codes for missing parts of an address. */
const addressCodes: Readonly<Record<string, string>> = {
  beneficiary_address: 'beneficiary_address_is_too_short',
  beneficiary_city: 'beneficiary_city_is_too_short',
  beneficiary_postcode: 'beneficiary_postcode_is_missing',
}

export function validateBeneficiaryDetails(
  details: Parameters,
  paymentTypes: readonly string[],
): readonly FieldError[] {
  const { bank_country = '', currency = '', beneficiary_country } = details
  const demands = requirementsOf(bank_country)
  if (demands === undefined) {
    return [fieldError('bank_country', 'bank_country_is_not_supported', 'bank_country is not supported')]
  }
  return [
    ...(currencyOf(currency) === undefined
      ? [fieldError('currency', 'currency_code_is_invalid', 'currency code is invalid')]
      : []),
    ...(beneficiary_country !== undefined && !COUNTRY.test(beneficiary_country)
      ? [wrong('beneficiary_country', 'is_in_invalid_format')]
      : []),
    ...accountErrors(details, demands),
    ...bicErrors(details, paymentTypes.includes('priority')),
    ...nameErrors(details),
    ...addressErrors(details, demands, paymentTypes),
  ]
}

function accountErrors(details: Parameters, demands: BeneficiaryRequirements): readonly FieldError[] {
  const { iban, account_number, bank_country = '' } = details
  if (iban !== undefined) {
    const isRight = iban.startsWith(bank_country) && iban.length === (demands.ibanLength ?? -1) && isIban(iban)
    return isRight ? [] : [wrong('iban', 'is_invalid')]
  }
  if (demands.account === undefined) {
    return [wrong('iban', 'is_missing')]
  }
  if (account_number === undefined) {
    return [wrong('account_number', 'is_missing')]
  }
  const isRight = new RegExp(demands.account).test(account_number)
  return [...(isRight ? [] : [wrong('account_number', 'is_invalid')]), ...routingErrors(details, demands)]
}

function routingErrors(details: Parameters, demands: BeneficiaryRequirements): readonly FieldError[] {
  const isOptional = demands.routingOptional === true && demands.ibanLength === undefined
  const given = new Map(
    ['1', '2'].map((place) => [details[`routing_code_type_${place}`], details[`routing_code_value_${place}`] ?? '']),
  )
  return Object.entries(demands.routing ?? {}).flatMap(([type, pattern]) => {
    const value = given.get(type)
    if (value === undefined) {
      return isOptional ? [] : [fieldError('routing_code', `${type}_is_missing`, `${type} is missing`)]
    }
    const isRight = new RegExp(pattern).test(value) && (type !== 'aba' || isAba(value))
    return isRight ? [] : [fieldError('routing_code', `${type}_is_invalid`, `${type} is invalid`)]
  })
}

function bicErrors({ bic_swift, iban }: Parameters, isPriority: boolean): readonly FieldError[] {
  if (bic_swift === undefined) {
    return isPriority && iban === undefined ? [wrong('bic_swift', 'is_missing')] : []
  }
  return BIC.test(bic_swift) ? [] : [wrong('bic_swift', 'is_invalid')]
}

function nameErrors(details: Parameters): readonly FieldError[] {
  const needed =
    details['beneficiary_entity_type'] === 'company'
      ? ['beneficiary_company_name']
      : details['beneficiary_entity_type'] === 'individual'
        ? ['beneficiary_first_name', 'beneficiary_last_name']
        : []
  return needed.filter((name) => (details[name] ?? '').trim() === '').map((name) => wrong(name, 'is_missing'))
}

/** Beneficiaries that are paid over a local clearing need no address. */
function addressErrors(details: Parameters, { address }: BeneficiaryRequirements, paymentTypes: readonly string[]) {
  return paymentTypes.includes('priority')
    ? address
        .filter((name) => (details[name] ?? '').trim() === '')
        .map((name) => fieldError(name, addressCodes[name] ?? 'beneficiary_details_are_missing', `${name} is missing`))
    : []
}

/** ISO 13616: IBAN check digits, modulus 97. */
function isIban(text: string): boolean {
  const digits = [...(text.slice(4) + text.slice(0, 4))].map((character) => Number.parseInt(character, 36)).join('')
  return IBAN.test(text) && BigInt(digits) % 97n === 1n
}

/** Check digit of a US routing number (ABA): weights 3, 7, 1. */
function isAba(text: string): boolean {
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
  return sum > 0 && sum % 10 === 0
}

function wrong(field: string, fault: string): FieldError {
  return fieldError(field, `${field}_${fault}`, `${field} ${fault.replaceAll('_', ' ')}`)
}

function fieldError(field: string, code: string, message: string): FieldError {
  return { field, code, message }
}
