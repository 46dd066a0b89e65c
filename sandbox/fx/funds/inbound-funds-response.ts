/** Renders inbound funds: as a transaction on the balance, and with the sender's details. */

import { HOUSE } from '../context.ts'
import { formatAmount } from '../market/market.ts'
import { formatDay, formatInstant } from '../protocol/format-time.ts'
import type { InboundFunds, Transaction } from '../tables.ts'

/** A transaction on a balance. */
export function transactionResponse(transaction: Transaction): object {
  const { amount_minor: minor, currency, created_at } = transaction
  return {
    id: transaction.id,
    balance_id: HOUSE.accountId,
    account_id: HOUSE.accountId,
    currency,
    amount: formatAmount(minor < 0n ? -minor : minor, currency),
    balance_amount: formatAmount(transaction.balance_minor, currency),
    type: minor < 0n ? 'debit' : 'credit',
    related_entity_type: transaction.entity_type,
    related_entity_id: transaction.entity_id,
    related_entity_short_reference: transaction.entity_reference,
    status: 'completed',
    reason: '',
    settles_at: formatInstant(created_at),
    created_at: formatInstant(created_at),
    updated_at: formatInstant(created_at),
    completed_at: formatInstant(created_at),
    action: transaction.action,
  }
}

/** Inbound funds as a transaction, before they arrive. */
export function pendingTransactionResponse(arrival: InboundFunds): object {
  const { id, currency, amount_minor, short_reference: entity_reference, created_at } = arrival
  const funding = { entity_type: 'inbound_funds', entity_id: id, entity_reference, action: 'funding' } as const
  return {
    ...transactionResponse({ id, currency, amount_minor, balance_minor: 0n, created_at, position: 0n, ...funding }),
    balance_amount: null,
    status: arrival.status,
    settles_at: null,
    completed_at: null,
  }
}

/** With the sender's details in separate fields. */
export function fundingTransactionResponse(arrival: InboundFunds): object {
  const { sender } = arrival
  return {
    id: arrival.id,
    amount: formatAmount(arrival.amount_minor, arrival.currency),
    currency: arrival.currency,
    rail: 'local',
    additional_information: arrival.reference,
    receiving_account_routing_code: null,
    value_date: formatDay(arrival.created_at.toZonedDateTimeISO('UTC').toPlainDate()),
    receiving_account_number: null,
    receiving_account_iban: arrival.receiver_iban,
    created_at: formatInstant(arrival.created_at),
    updated_at: formatInstant(arrival.completed_at ?? arrival.created_at),
    completed_at: arrival.completed_at === null ? null : formatInstant(arrival.completed_at),
    sender: {
      sender_id: null,
      sender_name: sender.name,
      sender_address: sender.address,
      sender_country: sender.country,
      sender_iban: sender.iban,
      sender_account_number: sender.accountNumber,
      sender_bic: sender.bic,
      sender_routing_code: null,
    },
  }
}
