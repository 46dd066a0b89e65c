/** Renders inbound funds: as a transaction on the balance, and with the sender's details. */

import type { Transaction } from '../books/balance-store.ts'
import type { InboundFunds } from '../books/inbound-funds-store.ts'
import { HOUSE } from '../context.ts'
import { formatAmount } from '../market/market.ts'
import { formatDay, formatInstant } from '../protocol/format-time.ts'

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

/** Body of notifications about inbound funds, before they arrive and afterwards. */
export function inboundTransactionResponse(arrival: InboundFunds, transaction?: Transaction): object {
  if (transaction !== undefined) {
    return transactionResponse(transaction)
  }
  return {
    id: arrival.id,
    balance_id: HOUSE.accountId,
    account_id: HOUSE.accountId,
    currency: arrival.currency,
    amount: formatAmount(arrival.amount_minor, arrival.currency),
    balance_amount: null,
    type: 'credit',
    related_entity_type: 'inbound_funds',
    related_entity_id: arrival.id,
    related_entity_short_reference: arrival.short_reference,
    status: arrival.status,
    reason: '',
    settles_at: null,
    created_at: formatInstant(arrival.created_at),
    updated_at: formatInstant(arrival.created_at),
    completed_at: null,
    action: 'funding',
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
