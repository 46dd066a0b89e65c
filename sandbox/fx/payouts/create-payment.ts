/** Creates a payment to a beneficiary from a conversion or a balance; each request id is accepted once. */
import { newId } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow } from '../../rows.ts'
import { sumPaidOut } from '../books/balance-store.ts'
import { dayAt, dealingDay, isDealingDay } from '../market/dealing-calendar.ts'
import { currencyOf, parseAmount, type TradedCurrency } from '../market/market.ts'
import { enqueueNotification } from '../notifications.ts'
import { shortReference } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { Payment } from '../tables.ts'
import { dueAtOf } from './advance-payment.ts'
import { paymentResponse } from './payment-response.ts'

const ERROR_CODE = 'payment_create_failed'
/** Parameters that are stored unchanged. */
const DETAILS = /^(payer_|purpose_code$|charge_type$|invoice_|ultimate_beneficiary_name$)/

export async function createPayment(call: OperationCall): Promise<object> {
  const { context, at, parameters } = call
  const order = await readOrder(call)
  const requestId = parameters['unique_request_id'] ?? ''
  if ((await findRow(context, 'payments', { request_id: requestId })) !== undefined) {
    const message = 'The unique_request_id provided for this payment has already been used'
    throw fieldRejected(ERROR_CODE, 'duplicate_request', 'duplicate_request', message)
  }
  if (context.faults.take('refuse-payment') !== undefined) {
    const message = 'The account is currently not permitted to create payments.'
    throw fieldRejected(ERROR_CODE, 'account', 'unsupported_account', message)
  }
  const id = newId()
  const payment = await insertRow(context, 'payments', {
    ...order,
    id,
    request_id: requestId,
    short_reference: `${shortReference('', at, id).slice(2)}001`,
    details: Object.fromEntries(Object.entries(parameters).filter(([name]) => DETAILS.test(name))),
    status: 'ready_to_send',
    failure_reason: '',
    returned_minor: 0n,
    outcome: null,
    transferred_at: null,
    created_at: at,
    updated_at: at,
    due_at: dueAtOf(order.payment_on, at),
  })
  const shown = paymentResponse(payment)
  await enqueueNotification(context, { type: 'payment/payment_ready_to_send', body: shown, at })
  return shown
}

type Order = Pick<
  Payment,
  | 'beneficiary_id'
  | 'conversion_id'
  | 'currency'
  | 'amount_minor'
  | 'reference'
  | 'reason'
  | 'payment_type'
  | 'payment_on'
>

async function readOrder(call: OperationCall): Promise<Order> {
  const { parameters, context } = call
  const currency = currencyOf(parameters['currency'] ?? '')
  if (currency === undefined) {
    throw fieldRejected(ERROR_CODE, 'currency', 'invalid_currency', 'Currency is not supported')
  }
  const minor = parseAmount(parameters['amount'] ?? '', currency)
  if (typeof minor !== 'bigint' || minor === 0n) {
    throw fieldRejected(ERROR_CODE, 'amount', 'amount_type_is_wrong', 'amount should be of numeric type')
  }
  const beneficiary = await findRow(context, 'beneficiaries', { id: parameters['beneficiary_id'] ?? '' })
  if (beneficiary === undefined) {
    throw fieldRejected(ERROR_CODE, 'beneficiary_id', 'invalid_beneficiary_id', 'Beneficiary could not be found')
  }
  if (beneficiary.details['currency'] !== currency.code) {
    const message = 'Currency does not match that of the beneficiary'
    throw fieldRejected(ERROR_CODE, 'beneficiary_currency', 'invalid_beneficiary_currency', message)
  }
  const conversionOn = await requireConversion(call, { code: currency.code, minor })
  return {
    beneficiary_id: beneficiary.id,
    conversion_id: parameters['conversion_id'] ?? null,
    currency: currency.code,
    amount_minor: minor,
    reference: parameters['reference'] ?? '',
    reason: parameters['reason'] ?? '',
    payment_type: parameters['payment_type'] ?? 'regular',
    payment_on: readDay(call, { currency, conversionOn }),
  }
}

/** The date of the conversion that funds the payment; null when a balance does. */
async function requireConversion(
  { parameters, context }: OperationCall,
  paid: { readonly code: string; readonly minor: bigint },
): Promise<Temporal.PlainDate | null> {
  const id = parameters['conversion_id']
  if (id === undefined) {
    return null
  }
  const conversion = await findRow(context, 'conversions', { id })
  if (conversion === undefined || conversion.buy_currency !== paid.code || conversion.loss_minor !== null) {
    throw fieldRejected(ERROR_CODE, 'conversion_id', 'invalid_conversion_id', 'Conversion could not be found')
  }
  const { minor: spoken } = await sumPaidOut(context, id)
  if (spoken + paid.minor > conversion.buy_minor) {
    const message = 'The payment amount is more than the value of the conversion'
    throw fieldRejected(ERROR_CODE, 'conversion_id', 'invalid_amount_for_conversion', message)
  }
  return conversion.conversion_on
}

function readDay(
  { parameters, at }: OperationCall,
  { currency, conversionOn }: { readonly currency: TradedCurrency; readonly conversionOn: Temporal.PlainDate | null },
): Temporal.PlainDate {
  const today = dayAt(at)
  const requested = parameters['payment_date']
  if (requested === undefined) {
    const isLater = conversionOn !== null && Temporal.PlainDate.compare(conversionOn, today) > 0
    return dealingDay([currency], isLater ? conversionOn : today)
  }
  const day = Temporal.PlainDate.from(requested)
  if (conversionOn !== null && Temporal.PlainDate.compare(day, conversionOn) < 0) {
    const message = 'The payment date cannot be sooner than the conversion date'
    throw fieldRejected(ERROR_CODE, 'payment_date', 'payment_date_is_too_early', message)
  }
  if (Temporal.PlainDate.compare(day, today) < 0 || !isDealingDay([currency], day)) {
    throw fieldRejected(ERROR_CODE, 'payment_date', 'invalid_payment_date', 'The payment date is invalid')
  }
  return day
}
