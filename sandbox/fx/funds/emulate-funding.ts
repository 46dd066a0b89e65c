/** Lets money arrive without a bank, as the provider's demo environment offers. */
import { isId } from '../../../gateway/platform/ids.ts'
import { HOUSE } from '../conversions/house-account.ts'
import { currencyOf, readAmount } from '../market/market.ts'
import { printInstant, shortReference } from '../protocol/format-time.ts'
import type { Call } from '../protocol/operation-call.ts'
import { refused } from '../protocol/provider-api-error.ts'
import { isKnownArrival } from './inbound-funds-store.ts'
import { fundingAccountAt, takeArrival } from './receive-inbound-funds.ts'

const ERROR_CODE = 'demo_funding_create_failed'

export async function emulateFunding({ context, books, at, parameters }: Call): Promise<object> {
  const { id = '', receiver_account_number = '', currency = '', amount = '', action = 'approve' } = parameters
  const account = fundingAccountAt(receiver_account_number)
  if (!isId(id)) {
    throw refused(ERROR_CODE, 'id', 'id_has_invalid_format', 'id has invalid format')
  }
  if (account === undefined) {
    const code = 'receiver_account_number_not_found'
    throw refused(ERROR_CODE, 'receiver_account_number', code, 'receiver_account_number not found')
  }
  if (account.currency !== currency) {
    const message = 'currency not supported by account'
    throw refused(ERROR_CODE, 'currency', 'currency_not_supported_by_account', message)
  }
  const known = currencyOf(currency)
  const minor = known && readAmount(amount, known)
  if (typeof minor !== 'bigint' || minor === 0n) {
    throw refused(ERROR_CODE, 'amount', 'amount_is_invalid', 'amount is invalid')
  }
  if (await isKnownArrival(books, id)) {
    throw refused(ERROR_CODE, 'id', 'id_has_already_been_taken', 'id has already been taken')
  }
  const told = (name: string) => parameters[name] ?? null
  if (action === 'approve') {
    const sender = {
      name: told('sender_name') ?? 'Unknown',
      address: told('sender_address') ?? '',
      country: told('sender_country') ?? '',
      iban: null,
      accountNumber: told('sender_account_number'),
      bic: told('sender_routing_code'),
    }
    const sent = { origin: id, iban: account.iban, currency, minor, reference: told('sender_reference') ?? '', sender }
    await takeArrival(context, books, sent, at)
  }
  return {
    id,
    account_id: HOUSE.accountId,
    state: action === 'approve' ? 'approved' : 'rejected',
    sender_name: told('sender_name'),
    sender_address: told('sender_address'),
    sender_country: told('sender_country'),
    sender_reference: told('sender_reference'),
    sender_account_number: told('sender_account_number'),
    sender_routing_code: told('sender_routing_code'),
    receiver_account_number,
    receiver_routing_code: told('receiver_routing_code'),
    amount,
    currency,
    action,
    short_reference: shortReference('IF-', at, id),
    created_at: printInstant(at),
    updated_at: printInstant(at),
  }
}
