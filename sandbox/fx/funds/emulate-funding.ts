/** Simulates inbound funds without a bank, as the provider's demo environment offers. */
import { isId } from '../../../gateway/platform/ids.ts'
import { isKnownInboundFunds } from '../books/inbound-funds-store.ts'
import { HOUSE } from '../context.ts'
import { currencyOf, parseAmount } from '../market/market.ts'
import { formatInstant, shortReference } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import { fundingAccountAt, receiveInboundFunds } from './receive-inbound-funds.ts'

const ERROR_CODE = 'demo_funding_create_failed'

export async function emulateFunding({ context, books, at, parameters }: OperationCall): Promise<object> {
  const { id = '', receiver_account_number = '', currency = '', amount = '', action = 'approve' } = parameters
  const account = fundingAccountAt(receiver_account_number)
  if (!isId(id)) {
    throw fieldRejected(ERROR_CODE, 'id', 'id_has_invalid_format', 'id has invalid format')
  }
  if (account === undefined) {
    const code = 'receiver_account_number_not_found'
    throw fieldRejected(ERROR_CODE, 'receiver_account_number', code, 'receiver_account_number not found')
  }
  if (account.currency !== currency) {
    const message = 'currency not supported by account'
    throw fieldRejected(ERROR_CODE, 'currency', 'currency_not_supported_by_account', message)
  }
  const known = currencyOf(currency)
  const minor = known && parseAmount(amount, known)
  if (typeof minor !== 'bigint' || minor === 0n) {
    throw fieldRejected(ERROR_CODE, 'amount', 'amount_is_invalid', 'amount is invalid')
  }
  if (await isKnownInboundFunds(books, id)) {
    throw fieldRejected(ERROR_CODE, 'id', 'id_has_already_been_taken', 'id has already been taken')
  }
  const text = (name: string) => parameters[name] ?? null
  if (action === 'approve') {
    const sender = {
      name: text('sender_name') ?? 'Unknown',
      address: text('sender_address') ?? '',
      country: text('sender_country') ?? '',
      iban: null,
      accountNumber: text('sender_account_number'),
      bic: text('sender_routing_code'),
    }
    const sent = { origin: id, iban: account.iban, currency, minor, reference: text('sender_reference') ?? '', sender }
    await receiveInboundFunds(context, books, sent, at)
  }
  return {
    id,
    account_id: HOUSE.accountId,
    state: action === 'approve' ? 'approved' : 'rejected',
    sender_name: text('sender_name'),
    sender_address: text('sender_address'),
    sender_country: text('sender_country'),
    sender_reference: text('sender_reference'),
    sender_account_number: text('sender_account_number'),
    sender_routing_code: text('sender_routing_code'),
    receiver_account_number,
    receiver_routing_code: text('receiver_routing_code'),
    amount,
    currency,
    action,
    short_reference: shortReference('IF-', at, id),
    created_at: formatInstant(at),
    updated_at: formatInstant(at),
  }
}
