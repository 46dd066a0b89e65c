/** Calls for payouts. */

import { FxProviderError } from '../fx-provider-error.ts'
import type { Payer, PayoutOrder, ProviderPayout } from '../payout.ts'
import { type ApiRequest, findMadeBefore, path, requireReadable, type SendRequest } from './client.ts'
import type { FormFields } from './form-encoding.ts'
import { amountText, payoutOf } from './translate.ts'
import { readPayment, readPayments } from './wire.ts'

/** If the order is rejected, an earlier one with the same request id is looked up. */
export async function orderPayout(send: SendRequest, order: PayoutOrder): Promise<ProviderPayout> {
  const apiRequest = {
    operation: 'orderPayout',
    method: 'POST',
    path: '/payments/create',
    fields: {
      currency: order.amount.currency,
      beneficiary_id: order.beneficiaryId,
      amount: amountText(order.amount),
      reason: order.reason,
      reference: order.reference,
      unique_request_id: order.requestId,
      payment_type: order.method,
      conversion_id: order.conversionId,
      purpose_code: order.purposeCode,
      // Shared charges; local clearings support nothing else.
      charge_type: order.method === 'priority' ? 'shared' : null,
      ...(order.payer === null ? {} : payerFields(order.payer)),
    },
    effect: 'moves',
  } satisfies ApiRequest
  try {
    return requireSameOrder(order, requireReadable(payoutOf(await send(apiRequest, readPayment)), 'moves'))
  } catch (error) {
    return requireSameOrder(order, await findMadeBefore(error, () => findPayout(send, order.requestId)))
  }
}

export async function findPayout(send: SendRequest, requestId: string): Promise<ProviderPayout | null> {
  const apiRequest = {
    operation: 'findPayout',
    path: '/payments/find',
    fields: { unique_request_id: requestId, with_deleted: 'true' },
  }
  const { payments } = await send(apiRequest, readPayments)
  const found = payments.find(({ unique_request_id }) => unique_request_id === requestId)
  return found === undefined ? null : requireReadable(payoutOf(found))
}

export async function readPayout(send: SendRequest, id: string): Promise<ProviderPayout> {
  const apiRequest = { operation: 'readPayout', path: path('payments', id), fields: { with_deleted: 'true' } }
  return requireReadable(payoutOf(await send(apiRequest, readPayment)))
}

function payerFields(payer: Payer): FormFields {
  return {
    payer_entity_type: payer.entityType,
    payer_company_name: payer.name,
    payer_country: payer.country,
    payer_city: payer.city,
    payer_address: payer.address,
    payer_postcode: payer.postCode,
    payer_identification_type: 'incorporation_number',
    payer_identification_value: payer.organisationNumber,
  }
}

/** A request id identifies one order: a payout with another amount is an error. */
function requireSameOrder({ amount }: PayoutOrder, payout: ProviderPayout): ProviderPayout {
  if (payout.amount.minor !== amount.minor || payout.amount.currency !== amount.currency) {
    throw new FxProviderError('outcome-unknown', 'The provider returned another payout than the requested one')
  }
  return payout
}
