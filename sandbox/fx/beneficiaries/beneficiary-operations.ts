/** Checks a receiver, makes one known, and shows those that are. */
import { HOUSE } from '../conversions/house-account.ts'
import { printInstant } from '../protocol/format-time.ts'
import type { Call } from '../protocol/operation-call.ts'
import { pageOf, pagination } from '../protocol/pagination.ts'
import { notFound, ProviderRefusal } from '../protocol/provider-api-error.ts'
import {
  type Beneficiary,
  type BeneficiaryDetails,
  findBeneficiaries,
  findBeneficiary,
  insertBeneficiary,
} from './beneficiary-store.ts'
import { beneficiaryProblems } from './beneficiary-validation.ts'

const PAYMENT_TYPES = ['priority', 'regular']
const BANK = { name: 'TEST BANK NAME', address: ['TEST BANK ADDRESS', 'NOT USING EXTERNAL SERVICE'] }
/** What answers have besides what is told of the bank, null where nothing was. */
const MEMBERS = [
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

/** Says whether a receiver would be taken; keeps nothing. */
export function validateBeneficiary(call: Call): object {
  return showDetails(soundDetails(call, 'beneficiary_validate_failed'))
}

export async function createBeneficiary(call: Call): Promise<object> {
  const details = soundDetails(call, 'beneficiary_create_failed')
  return show(await insertBeneficiary(call.books, details, call.at))
}

export async function readBeneficiary({ books, parameters }: Call): Promise<object> {
  const found = await findBeneficiary(books, parameters['id'] ?? '')
  if (found === undefined) {
    throw notFound('beneficiary')
  }
  return show(found)
}

export async function listBeneficiaries({ books, parameters }: Call): Promise<object> {
  const page = pageOf(parameters)
  const { rows, total } = await findBeneficiaries(books, parameters, page)
  return { beneficiaries: rows.map(show), pagination: pagination(page, total, 'created_at') }
}

function soundDetails({ context, parameters, lists }: Call, errorCode: string): BeneficiaryDetails {
  const paymentTypes = lists['payment_types'] ?? (parameters['payment_types'] === undefined ? PAYMENT_TYPES : [])
  const problems = beneficiaryProblems(parameters, paymentTypes)
  const [refusal] = context.faults.take('refuse-beneficiary') === undefined ? [] : [REFUSED]
  if (problems.length > 0 || refusal !== undefined) {
    throw new ProviderRefusal(400, errorCode, [...problems, ...(refusal === undefined ? [] : [refusal])])
  }
  const { on_behalf_of: _ignored, ...details } = parameters
  return { ...details, payment_types: paymentTypes }
}

const REFUSED = { field: 'account_number', code: 'account_number_is_invalid', message: 'account_number is invalid' }

function show({ id, details, created_at }: Beneficiary): object {
  const told = (name: string) => details[name] ?? null
  return {
    id,
    bank_account_holder_name: told('bank_account_holder_name'),
    name: told('name'),
    email: told('email'),
    ...showDetails(details),
    default_beneficiary: 'false',
    creator_contact_id: HOUSE.contactId,
    created_at: printInstant(created_at),
    updated_at: printInstant(created_at),
    beneficiary_external_reference: told('beneficiary_external_reference'),
    business_nature: told('business_nature'),
    company_website: told('company_website'),
  }
}

function showDetails(details: BeneficiaryDetails): object {
  const address = details['beneficiary_address']
  return {
    payment_types: details['payment_types'],
    ...Object.fromEntries(MEMBERS.map((name) => [name, details[name] ?? null])),
    beneficiary_address: address === undefined ? [] : [address].flat(),
    bank_name: details['bank_name'] ?? BANK.name,
    bank_address: details['bank_address'] === undefined ? BANK.address : [details['bank_address']].flat(),
  }
}
