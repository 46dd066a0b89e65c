/** Validates, creates, finds and lists beneficiaries. */

import { HOUSE } from '../context.ts'
import { formatInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { notFound, ProviderApiError } from '../protocol/provider-api-error.ts'
import {
  type Beneficiary,
  type BeneficiaryDetails,
  findBeneficiaries,
  findBeneficiary,
  insertBeneficiary,
} from './beneficiary-store.ts'
import { validateBeneficiaryDetails } from './beneficiary-validation.ts'

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

/** Validates a beneficiary without storing it. */
export function validateBeneficiary(call: OperationCall): object {
  return showDetails(requireValidDetails(call, 'beneficiary_validate_failed'))
}

export async function createBeneficiary(call: OperationCall): Promise<object> {
  const details = requireValidDetails(call, 'beneficiary_create_failed')
  return show(await insertBeneficiary(call.books, details, call.at))
}

export async function getBeneficiary({ books, parameters }: OperationCall): Promise<object> {
  const found = await findBeneficiary(books, parameters['id'] ?? '')
  if (found === undefined) {
    throw notFound('beneficiary')
  }
  return show(found)
}

export async function listBeneficiaries({ books, parameters }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const { rows, total } = await findBeneficiaries(books, parameters, page)
  return { beneficiaries: rows.map(show), pagination: pagination(page, total, 'created_at') }
}

function requireValidDetails({ context, parameters, lists }: OperationCall, errorCode: string): BeneficiaryDetails {
  const paymentTypes = lists['payment_types'] ?? (parameters['payment_types'] === undefined ? PAYMENT_TYPES : [])
  const validationErrors = validateBeneficiaryDetails(parameters, paymentTypes)
  const [rejection] = context.faults.take('refuse-beneficiary') === undefined ? [] : [REJECTED]
  if (validationErrors.length > 0 || rejection !== undefined) {
    throw new ProviderApiError(400, errorCode, [...validationErrors, ...(rejection === undefined ? [] : [rejection])])
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

function showDetails(details: BeneficiaryDetails): object {
  const address = details['beneficiary_address']
  return {
    payment_types: details['payment_types'],
    ...Object.fromEntries(BENEFICIARY_FIELDS.map((name) => [name, details[name] ?? null])),
    beneficiary_address: address === undefined ? [] : [address].flat(),
    bank_name: details['bank_name'] ?? BANK.name,
    bank_address: details['bank_address'] === undefined ? BANK.address : [details['bank_address']].flat(),
  }
}
