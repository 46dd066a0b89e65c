/** Receivers at the provider, and the accounts that money is paid to. */

import type { Ask, Question } from '../../currencycloud/ask.ts'
import type { Beneficiary, IntermediaryAccount, RequiredDetails } from '../beneficiary.ts'
import { beneficiaryForm, intermediaryAccountOf, requiredDetailsOf } from './beneficiary-form.ts'
import {
  readBeneficiaries,
  readBeneficiary,
  readFundingAccounts,
  readRequiredDetails,
  readValidBeneficiary,
} from './wire.ts'

export async function readRequirements(
  ask: Ask,
  { country, currency }: { readonly country: string; readonly currency: string },
): Promise<readonly RequiredDetails[]> {
  const question = {
    operation: 'readRequirements',
    method: 'GET',
    path: '/reference/beneficiary_required_details',
    fields: { currency, bank_account_country: country, beneficiary_country: country },
    effect: 'reads',
    urgency: 'urgent',
  } as const satisfies Question
  const { details } = await ask(question, readRequiredDetails)
  return details.flatMap((detail) => requiredDetailsOf(detail) ?? [])
}

export async function validateBeneficiary(ask: Ask, beneficiary: Beneficiary): Promise<void> {
  const question = {
    operation: 'validateBeneficiary',
    method: 'POST',
    path: '/beneficiaries/validate',
    fields: beneficiaryForm(beneficiary),
    effect: 'reads',
    urgency: 'urgent',
  } as const satisfies Question
  await ask(question, readValidBeneficiary)
}

/** A receiver that was made with this id before is taken again: the provider itself would make another. */
export async function createBeneficiary(
  ask: Ask,
  beneficiary: Beneficiary,
  requestId: string,
): Promise<{ readonly id: string }> {
  const reference = { beneficiary_external_reference: requestId }
  const known = await ask(
    { ...CREATING, operation: 'findBeneficiary', path: '/beneficiaries/find', fields: reference },
    readBeneficiaries,
  )
  const [first] = known.beneficiaries.filter(({ beneficiary_external_reference: held }) => held === requestId)
  if (first !== undefined) {
    return { id: first.id }
  }
  const { name } = beneficiary
  const fields = { name, bank_account_holder_name: name, ...beneficiaryForm(beneficiary), ...reference }
  const { id } = await ask(
    { ...CREATING, operation: 'createBeneficiary', path: '/beneficiaries/create', fields },
    readBeneficiary,
  )
  return { id }
}

export async function findIntermediaryAccount(
  ask: Ask,
  asked: { readonly currency: string; readonly country: string },
): Promise<IntermediaryAccount | null> {
  const question = {
    operation: 'findFundingAccounts',
    method: 'GET',
    path: '/funding_accounts/find',
    fields: { currency: asked.currency, per_page: '100' },
    effect: 'reads',
    urgency: 'urgent',
  } as const satisfies Question
  const { funding_accounts: accounts } = await ask(question, readFundingAccounts)
  return intermediaryAccountOf(accounts, asked)
}

/** A receiver moves no money: one whose answer was lost is found when it is asked for again. */
const CREATING = { method: 'POST', effect: 'reads', urgency: 'patient' } as const satisfies Partial<Question>
