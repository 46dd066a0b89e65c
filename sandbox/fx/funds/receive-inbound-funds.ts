/** Receives and completes inbound funds: credits the balance and funds the conversion that the reference names. */

import accounts from '../../../data/sandbox-fx/accounts.json' with { type: 'json' }
import { newId } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow, updateRow } from '../../rows.ts'
import { changeBalance } from '../books/balance-store.ts'
import { findConversionByReference, findUnreferencedConversion, withoutSeparators } from '../books/conversion-store.ts'
import type { Context } from '../context.ts'
import { recordConversionFunded } from '../conversions/advance-conversion.ts'
import { parseAmount, requireCurrency } from '../market/market.ts'
import { enqueueNotification } from '../notifications.ts'
import { shortReference } from '../protocol/format-time.ts'
import type { InboundFunds, Sender } from '../tables.ts'
import { pendingTransactionResponse, transactionResponse } from './inbound-funds-response.ts'

export async function completeInboundFunds(
  context: Context,
  arrival: InboundFunds,
  at: Temporal.Instant,
): Promise<InboundFunds> {
  const completed = await updateRow(context, 'arrivals', arrival, {
    status: 'completed',
    completed_at: at,
    due_at: null,
  })
  const transaction = await changeBalance(context, {
    currency: arrival.currency,
    minor: arrival.amount_minor,
    entity: { type: 'inbound_funds', id: arrival.id, reference: arrival.short_reference },
    action: 'funding',
    at,
  })
  await enqueueNotification(context, {
    type: 'cash_manager_transaction/cash_manager_transaction',
    body: transactionResponse(transaction),
    at,
  })
  if (completed.conversion_id !== null) {
    await recordConversionFunded(context, completed.conversion_id, at)
  }
  return completed
}

type SentFunds = {
  /** The sending bank's id of the payment. */
  readonly origin: string
  readonly iban: string
  readonly currency: string
  readonly minor: bigint
  readonly reference: string
  readonly sender: Sender
}

type FundingAccount = (typeof accounts.accounts)[number]

export const fundingAccounts: readonly FundingAccount[] = accounts.accounts
export const fundingAccountHolder = accounts.holder

/** Undefined where the provider has no such account. */
export function fundingAccountAt(iban: string): FundingAccount | undefined {
  return fundingAccounts.find((account) => account.iban === iban)
}

/** Returns the recorded funds; none when a fault loses them or they were reported before. */
export async function receiveInboundFunds(
  context: Context,
  sent: SentFunds,
  at: Temporal.Instant,
): Promise<readonly InboundFunds[]> {
  const { faults } = context
  const known = await findRow(context, 'arrivals', { origin: sent.origin })
  if (known !== undefined || faults.take('funding-lost') !== undefined) {
    return []
  }
  const short = faults.take('funding-short')
  const deducted = short === undefined ? 0n : amountAfterFault(sent, short.amount)
  const reference = faults.take('funding-without-reference') === undefined ? sent.reference : ''
  const late = faults.take('funding-late')
  const dueAt = late === undefined ? at : at.add({ seconds: late.seconds ?? 0 })
  const origins = faults.take('funding-double') === undefined ? [sent.origin] : [sent.origin, `${sent.origin} again`]
  const made: InboundFunds[] = []
  for (const origin of origins) {
    const one = { ...sent, origin, reference, minor: sent.minor - deducted }
    made.push(await receiveOne(context, one, { at, dueAt }))
  }
  return made
}

async function receiveOne(
  context: Context,
  { iban, currency, minor, ...sent }: SentFunds,
  { at, dueAt }: { readonly at: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<InboundFunds> {
  const text = withoutSeparators(sent.reference)
  const conversion =
    (await findConversionByReference(context, { currency, text })) ??
    (await findUnreferencedConversion(context, { currency, minor }))
  const id = newId()
  const arrival = await insertRow(context, 'arrivals', {
    ...sent,
    id,
    short_reference: shortReference('IF-', at, id),
    receiver_iban: iban,
    currency,
    amount_minor: minor,
    conversion_id: conversion?.id ?? null,
    status: 'pending',
    created_at: at,
    completed_at: null,
    due_at: dueAt,
  })
  if (Temporal.Instant.compare(dueAt, at) <= 0) {
    return await completeInboundFunds(context, arrival, at)
  }
  await enqueueNotification(context, {
    type: 'cash_manager_transaction/pending_cash_manager_transaction',
    body: pendingTransactionResponse(arrival),
    at,
  })
  return arrival
}

/** Deducts the amount of the fault, or one tenth; never all of it. */
function amountAfterFault({ minor, currency }: SentFunds, amount: string | undefined): bigint {
  const requested = amount === undefined ? undefined : parseAmount(amount, requireCurrency(currency))
  const deducted = typeof requested === 'bigint' ? requested : minor / 10n
  return deducted < minor ? deducted : minor - 1n
}
