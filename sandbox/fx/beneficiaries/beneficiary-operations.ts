/** Validates, creates and lists beneficiaries. */

import { sql } from 'kysely'
import receivers from '../../../data/sandbox-fx/receivers.json' with { type: 'json' }
import { newId } from '../../../gateway/platform/ids.ts'
import { isIban } from '../../bank/national/check-digits.ts'
import { insertRow } from '../../rows.ts'
import { listRows } from '../books/rows.ts'
import { HOUSE } from '../context.ts'
import { currencyOf } from '../market/market.ts'
import { formatInstant } from '../protocol/format-time.ts'
import type { OperationCall, Parameters } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { type FieldError, ProviderApiError } from '../protocol/provider-api-error.ts'
import type { Beneficiary } from '../tables.ts'

const PAYMENT_TYPES = ['priority', 'regular']
const BANK = { name: 'TEST BANK NAME', address: ['TEST BANK ADDRESS', 'NOT USING EXTERNAL SERVICE'] }
/** Response fields in addition to those of the bank details; null where no value was given. */
const BENEFICIARY_FIELDS = [
  'beneficiary_country',
  'beneficiary_entity_type',
  'beneficiary_company_name',
  'beneficiary_first_name',
  'beneficiary_last_name',
  'beneficiary_city',
  'beneficiary_postcode',
  'beneficiary_state_or_province',
  'beneficiary_date_of_birth',
  'beneficiary_identification_type',
  'beneficiary_identification_value',
  'bank_country',
  'bank_account_type',
  'currency',
  'account_number',
  'routing_code_type_1',
  'routing_code_value_1',
  'routing_code_type_2',
  'routing_code_value_2',
  'bic_swift',
  'iban',
]

/** Parameters that control the response rather than filter it. */
const NO_FILTERS = ['page', 'per_page', 'order', 'order_asc_desc', 'scope', 'on_behalf_of']

/** Validates a beneficiary without storing it. */
export function validateBeneficiary(call: OperationCall): object {
  return showDetails(requireValidDetails(call, 'beneficiary_validate_failed'))
}

export async function createBeneficiary(call: OperationCall): Promise<object> {
  const details = requireValidDetails(call, 'beneficiary_create_failed')
  return show(await insertRow(call.context, 'beneficiaries', { id: newId(), details, created_at: call.at }))
}

export async function listBeneficiaries({ context, parameters }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const conditions = Object.entries(parameters)
    .filter(([name]) => !NO_FILTERS.includes(name))
    .map(([name, value]) => sql<boolean>`details ->> ${name} = ${value}`)
  const { rows, total } = await listRows(context, 'beneficiaries', page, conditions)
  return { beneficiaries: rows.map(show), pagination: pagination(page, total, 'created_at') }
}

function requireValidDetails({ context, parameters, lists }: OperationCall, errorCode: string): Beneficiary['details'] {
  const paymentTypes = lists['payment_types'] ?? (parameters['payment_types'] === undefined ? PAYMENT_TYPES : [])
  const validationErrors = [
    ...validateBeneficiaryDetails(parameters, paymentTypes),
    ...(context.faults.take('refuse-beneficiary') === undefined ? [] : [REJECTED]),
  ]
  if (validationErrors.length > 0) {
    throw new ProviderApiError(400, errorCode, validationErrors)
  }
  const { on_behalf_of: _ignored, ...details } = parameters
  return { ...details, payment_types: paymentTypes }
}

const REJECTED = { field: 'account_number', code: 'account_number_is_invalid', message: 'account_number is invalid' }

function show({ id, details, created_at }: Beneficiary): object {
  const reported = (name: string) => details[name] ?? null
  return {
    id,
    bank_account_holder_name: reported('bank_account_holder_name'),
    name: reported('name'),
    email: reported('email'),
    ...showDetails(details),
    default_beneficiary: 'false',
    creator_contact_id: HOUSE.contactId,
    created_at: formatInstant(created_at),
    updated_at: formatInstant(created_at),
    beneficiary_external_reference: reported('beneficiary_external_reference'),
    business_nature: reported('business_nature'),
    company_website: reported('company_website'),
  }
}

function showDetails(details: Beneficiary['details']): object {
  const address = details['beneficiary_address']
  return {
    payment_types: details['payment_types'],
    ...Object.fromEntries(BENEFICIARY_FIELDS.map((name) => [name, details[name] ?? null])),
    beneficiary_address: address === undefined ? [] : [address].flat(),
    bank_name: details['bank_name'] ?? BANK.name,
    bank_address: details['bank_address'] === undefined ? BANK.address : [details['bank_address']].flat(),
  }
}

/** The details that the provider requires, by the country of the account. */
type BeneficiaryRequirements = {
  /** Present where accounts have an IBAN. */
  readonly ibanLength?: number
  /** Pattern of a local account number; absent where only IBANs are accepted. */
  readonly account?: string
  /** Patterns of the bank codes that accompany a local account number, by the provider's name of the code. */
  readonly routing?: Readonly<Record<string, string>>
  readonly routingOptional?: boolean
  readonly address: readonly string[]
}

const requirementsByCountry: Readonly<Record<string, BeneficiaryRequirements>> = receivers.countries

const BIC = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/
const COUNTRY = /^[A-Z]{2}$/
/** Error codes for missing parts of an address. */
const addressCodes: Readonly<Record<string, string>> = {
  beneficiary_address: 'beneficiary_address_is_too_short',
  beneficiary_city: 'beneficiary_city_is_too_short',
  beneficiary_postcode: 'beneficiary_postcode_is_missing',
}

function validateBeneficiaryDetails(details: Parameters, paymentTypes: readonly string[]): readonly FieldError[] {
  const { bank_country = '', currency = '', beneficiary_country } = details
  const demands = requirementsByCountry[bank_country]
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
