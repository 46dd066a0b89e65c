/** Finds payments, and renders them for responses and notifications. */

import { equalTo, listRows, requireRow } from '../books/rows.ts'
import { HOUSE } from '../context.ts'
import { formatAmount } from '../market/market.ts'
import { formatInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import type { Payment } from '../tables.ts'

export function paymentResponse(payment: Payment): object {
  const { details, currency } = payment
  const reported = (name: string) => details[name] ?? null
  return {
    id: payment.id,
    amount: formatAmount(payment.amount_minor, currency),
    beneficiary_id: payment.beneficiary_id,
    currency,
    reference: payment.reference,
    reason: payment.reason,
    status: payment.status,
    creator_contact_id: HOUSE.contactId,
    payment_type: payment.payment_type,
    payment_date: payment.payment_on.toString(),
    estimated_arrival: null,
    transferred_at: payment.transferred_at === null ? '' : formatInstant(payment.transferred_at),
    authorisation_steps_required: '0',
    last_updater_contact_id: HOUSE.contactId,
    short_reference: payment.short_reference,
    conversion_id: payment.conversion_id,
    failure_reason: payment.failure_reason,
    payer_id: HOUSE.payerId,
    payer_details_source: details['payer_entity_type'] === undefined ? 'account' : 'payer',
    created_at: formatInstant(payment.created_at),
    updated_at: formatInstant(payment.updated_at),
    payment_group_id: null,
    unique_request_id: payment.request_id,
    failure_returned_amount: formatAmount(payment.returned_minor, currency),
    ultimate_beneficiary_name: reported('ultimate_beneficiary_name'),
    purpose_code: reported('purpose_code'),
    charge_type: reported('charge_type'),
    fee_amount: null,
    fee_currency: null,
    review_status: payment.status === 'suspended' ? 'in_review' : 'passed',
    invoice_number: reported('invoice_number'),
    invoice_date: reported('invoice_date'),
  }
}

export async function getPayment(call: OperationCall): Promise<object> {
  return paymentResponse(await requireRow(call, 'payments', 'payment'))
}

const FILTERS = {
  unique_request_id: 'request_id',
  conversion_id: 'conversion_id',
  short_reference: 'short_reference',
  beneficiary_id: 'beneficiary_id',
  currency: 'currency',
  reason: 'reason',
  status: 'status',
}

export async function listPayments({ context, parameters }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const { rows, total } = await listRows(context, 'payments', page, equalTo(parameters, FILTERS))
  return { payments: rows.map(paymentResponse), pagination: pagination(page, total, 'created_at') }
}
