/** Payouts at the provider. */

import { type Ask, path, type Question } from '../../currencycloud/ask.ts'
import { detailOf, isBeforehand, madeBefore, readable } from '../../currencycloud/repeating.ts'
import { FxRefusal } from '../fx-provider-error.ts'
import type { Payer, PayoutOrder, ProviderPayment } from '../payout.ts'
import { personNames } from './beneficiary-form.ts'
import type { Fields } from './form-encoding.ts'
import { amountText } from './translate-money.ts'
import { payoutOf } from './translate-payouts.ts'
import { readPayment, readPayments } from './wire.ts'

/** Refused for whatever reason, an order that was given before is found under its id. */
export async function payOut(ask: Ask, order: PayoutOrder): Promise<ProviderPayment> {
  const question = {
    operation: 'payOut',
    method: 'POST',
    path: '/payments/create',
    fields: payoutForm(order),
    effect: 'moves',
    urgency: 'patient',
  } as const satisfies Question
  try {
    return sameAs(order, readable(payoutOf(await ask(question, readPayment)), 'moves'))
  } catch (error) {
    return sameAs(order, await madeBefore(error, () => findPayout(ask, order.requestId)))
  }
}

export async function findPayout(ask: Ask, requestId: string): Promise<ProviderPayment | null> {
  const question = {
    operation: 'findPayout',
    method: 'GET',
    path: '/payments/find',
    fields: { unique_request_id: requestId, with_deleted: 'true' },
    effect: 'reads',
    urgency: 'patient',
  } as const satisfies Question
  const { payments } = await ask(question, readPayments)
  const found = payments.find(({ unique_request_id }) => unique_request_id === requestId)
  return found === undefined ? null : readable(payoutOf(found))
}

export async function readPayout(ask: Ask, id: string): Promise<ProviderPayment> {
  const question = {
    operation: 'readPayout',
    method: 'GET',
    path: path('payments', id),
    fields: { with_deleted: 'true' },
    effect: 'reads',
    urgency: 'patient',
  } as const satisfies Question
  return readable(payoutOf(await ask(question, readPayment)))
}

/** One that is refused, or whose answer was lost, is read: it may be deleted already. */
export async function deletePayout(ask: Ask, id: string): Promise<void> {
  const question = {
    operation: 'deletePayout',
    method: 'POST',
    path: path('payments', id, 'delete'),
    effect: 'moves',
    urgency: 'patient',
  } as const satisfies Question
  try {
    await ask(question, readPayment)
  } catch (error) {
    if (!(error instanceof FxRefusal) || isBeforehand(error)) {
      throw error
    }
    const { state } = await readPayout(ask, id)
    if (state !== 'deleted') {
      throw error.kind === 'outcome-unknown' ? error : new FxRefusal('too-late', error.message, detailOf(error))
    }
  }
}

function payoutForm(order: PayoutOrder): Fields {
  return {
    currency: order.amount.currency,
    beneficiary_id: order.beneficiaryId,
    amount: amountText(order.amount),
    reason: order.reason,
    reference: order.reference,
    unique_request_id: order.requestId,
    payment_type: order.way,
    payment_date: order.paymentDate?.toString(),
    conversion_id: order.conversionId,
    purpose_code: order.purposeCode,
    // Each side pays its own bank; local clearings know nothing else.
    charge_type: order.way === 'priority' ? 'shared' : null,
    ...(order.payer === null ? {} : payerFields(order.payer)),
  }
}

function payerFields(payer: Payer): Fields {
  const { first, last } = personNames(payer.name)
  const named =
    payer.entityType === 'company'
      ? { payer_company_name: payer.name }
      : { payer_first_name: first, payer_last_name: last }
  return {
    payer_entity_type: payer.entityType,
    ...named,
    payer_country: payer.country,
    payer_city: payer.city,
    payer_address: payer.address,
    payer_postcode: payer.postCode,
    ...(payer.organisationNumber === null
      ? {}
      : { payer_identification_type: 'incorporation_number', payer_identification_value: payer.organisationNumber }),
  }
}

/** An id of ours stands for one order: under it there can be nothing else. */
function sameAs({ amount }: PayoutOrder, payout: ProviderPayment): ProviderPayment {
  if (payout.amount.minor !== amount.minor || payout.amount.currency !== amount.currency) {
    throw new FxRefusal('outcome-unknown', 'The provider shows another payout than the one that was asked for')
  }
  return payout
}
