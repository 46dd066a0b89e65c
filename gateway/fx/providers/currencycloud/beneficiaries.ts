/** Calls for beneficiaries and funding accounts. */
import type { Beneficiary, IntermediaryAccount } from '../beneficiary.ts'
import { beneficiaryForm, intermediaryAccountOf } from './beneficiary-form.ts'
import type { ApiRequest, SendRequest } from './client.ts'
import { readBeneficiaries, readBeneficiary, readFundingAccounts, readValidBeneficiary } from './wire.ts'

export async function validateBeneficiary(send: SendRequest, beneficiary: Beneficiary): Promise<void> {
  const apiRequest = {
    operation: 'validateBeneficiary',
    method: 'POST',
    path: '/beneficiaries/validate',
    fields: beneficiaryForm(beneficiary),
    effect: 'reads',
    urgency: 'urgent',
  } satisfies ApiRequest
  await send(apiRequest, readValidBeneficiary)
}

/** Looks up the beneficiary by our reference first, because the provider would create a second one. */
export async function createBeneficiary(
  send: SendRequest,
  beneficiary: Beneficiary,
  requestId: string,
): Promise<{ readonly id: string }> {
  const reference = { beneficiary_external_reference: requestId }
  const existing = await send(
    { ...CREATE_CALL, operation: 'findBeneficiary', path: '/beneficiaries/find', fields: reference },
    readBeneficiaries,
  )
  const found = existing.beneficiaries.find((each) => each.beneficiary_external_reference === requestId)
  if (found !== undefined) {
    return { id: found.id }
  }
  const { name } = beneficiary
  const fields = { name, bank_account_holder_name: name, ...beneficiaryForm(beneficiary), ...reference }
  const { id } = await send(
    { ...CREATE_CALL, operation: 'createBeneficiary', path: '/beneficiaries/create', fields },
    readBeneficiary,
  )
  return { id }
}

export async function findIntermediaryAccount(
  send: SendRequest,
  query: { readonly currency: string; readonly country: string },
): Promise<IntermediaryAccount | null> {
  const apiRequest = {
    operation: 'findFundingAccounts',
    path: '/funding_accounts/find',
    fields: { currency: query.currency, per_page: '100' },
    urgency: 'urgent',
  } satisfies ApiRequest
  const { funding_accounts: accounts } = await send(apiRequest, readFundingAccounts)
  return intermediaryAccountOf(accounts, query)
}

/** Creating a beneficiary moves no money: if the answer is lost, the next attempt finds it. */
const CREATE_CALL = { method: 'POST', effect: 'reads' } as const
