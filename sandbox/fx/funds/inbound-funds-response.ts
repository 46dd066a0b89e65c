/** Shows money that arrived: as a line of the balance, and with who sent it and what they wrote. */
import { HOUSE } from '../conversions/house-account.ts'
import { printAmount } from '../market/market.ts'
import { printDay, printInstant } from '../protocol/format-time.ts'
import type { Transaction } from './balance-store.ts'
import type { Arrival } from './inbound-funds-store.ts'

/** A line of a balance. */
export function showTransaction(transaction: Transaction): object {
  const { amount_minor: minor, currency, created_at } = transaction
  return {
    id: transaction.id,
    balance_id: HOUSE.accountId,
    account_id: HOUSE.accountId,
    currency,
    amount: printAmount(minor < 0n ? -minor : minor, currency),
    balance_amount: printAmount(transaction.balance_minor, currency),
    type: minor < 0n ? 'debit' : 'credit',
    related_entity_type: transaction.entity_type,
    related_entity_id: transaction.entity_id,
    related_entity_short_reference: transaction.entity_reference,
    status: 'completed',
    reason: '',
    settles_at: printInstant(created_at),
    created_at: printInstant(created_at),
    updated_at: printInstant(created_at),
    completed_at: printInstant(created_at),
    action: transaction.action,
  }
}

/** What notifications tell of money, before it arrives and when it has. */
export function showArrivalTransaction(arrival: Arrival, transaction?: Transaction): object {
  if (transaction !== undefined) {
    return showTransaction(transaction)
  }
  return {
    id: arrival.id,
    balance_id: HOUSE.accountId,
    account_id: HOUSE.accountId,
    currency: arrival.currency,
    amount: printAmount(arrival.amount_minor, arrival.currency),
    balance_amount: null,
    type: 'credit',
    related_entity_type: 'inbound_funds',
    related_entity_id: arrival.id,
    related_entity_short_reference: arrival.short_reference,
    status: arrival.status,
    reason: '',
    settles_at: null,
    created_at: printInstant(arrival.created_at),
    updated_at: printInstant(arrival.created_at),
    completed_at: null,
    action: 'funding',
  }
}

/** With who sent it, each part by itself. */
export function showFundingTransaction(arrival: Arrival): object {
  const { sender } = arrival
  return {
    id: arrival.id,
    amount: printAmount(arrival.amount_minor, arrival.currency),
    currency: arrival.currency,
    rail: 'local',
    additional_information: arrival.reference,
    receiving_account_routing_code: null,
    value_date: printDay(arrival.created_at.toZonedDateTimeISO('UTC').toPlainDate()),
    receiving_account_number: null,
    receiving_account_iban: arrival.receiver_iban,
    created_at: printInstant(arrival.created_at),
    updated_at: printInstant(arrival.completed_at ?? arrival.created_at),
    completed_at: arrival.completed_at === null ? null : printInstant(arrival.completed_at),
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

/** With who sent it in one line, as the older call has it: name; address; country; account; BIC; routing code. */
export function showSender(arrival: Arrival): object {
  const { name, address, country, iban, accountNumber, bic } = arrival.sender
  return {
    id: arrival.id,
    amount: printAmount(arrival.amount_minor, arrival.currency),
    currency: arrival.currency,
    additional_information: arrival.reference,
    value_date: printDay(arrival.created_at.toZonedDateTimeISO('UTC').toPlainDate()),
    sender: [name, address, country, iban ?? accountNumber ?? '', bic ?? '', ''].join(';'),
    receiving_account_number: null,
    receiving_account_iban: arrival.receiver_iban,
    created_at: printInstant(arrival.created_at),
    updated_at: printInstant(arrival.completed_at ?? arrival.created_at),
  }
}
