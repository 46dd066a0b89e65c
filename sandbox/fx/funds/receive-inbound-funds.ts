/** Takes money that a bank sent to one of the provider's accounts; it arrives at once unless a fault says otherwise. */

import type { Insertable } from 'kysely'
import accounts from '../../../data/sandbox-fx/accounts.json' with { type: 'json' }
import { newId } from '../../../gateway/platform/ids.ts'
import { conversionNamedIn, namelessAwaiting } from '../conversions/conversion-store.ts'
import { knownCurrency, readAmount } from '../market/market.ts'
import { keepNotice } from '../notifications/enqueue-notification.ts'
import { shortReference } from '../protocol/format-time.ts'
import type { Books, ProviderContext } from '../provider-context.ts'
import type { ArrivalTable, Sender } from '../tables.ts'
import { completeArrival } from './complete-inbound-funds.ts'
import { showArrivalTransaction } from './inbound-funds-response.ts'
import { type Arrival, insertArrival, isKnownArrival } from './inbound-funds-store.ts'
import { withoutSeparators } from './reference-codes-in.ts'

/** Money that was sent. */
export type Sent = {
  /** What the sender's bank calls it. */
  readonly origin: string
  readonly iban: string
  readonly currency: string
  readonly minor: bigint
  readonly reference: string
  readonly sender: Sender
}

export type FundingAccount = (typeof accounts.accounts)[number]

export const fundingAccounts: readonly FundingAccount[] = accounts.accounts
export const fundingAccountHolder = accounts.holder

/** Undefined where the provider has no such account. */
export function fundingAccountAt(iban: string): FundingAccount | undefined {
  return fundingAccounts.find((account) => account.iban === iban)
}

/** Answers what was made of it: nothing when it is lost or was told of before. */
export async function takeArrival(
  { faults }: Pick<ProviderContext, 'faults'>,
  books: Books,
  sent: Sent,
  at: Temporal.Instant,
): Promise<readonly Arrival[]> {
  if ((await isKnownArrival(books, sent.origin)) || faults.take('funding-lost') !== undefined) {
    return []
  }
  const short = faults.take('funding-short')
  const kept = short === undefined ? 0n : keptOf(sent, short.amount)
  const reference = faults.take('funding-without-reference') === undefined ? sent.reference : ''
  const late = faults.take('funding-late')
  const dueAt = late === undefined ? at : at.add({ seconds: late.seconds ?? 0 })
  const origins = faults.take('funding-double') === undefined ? [sent.origin] : [sent.origin, `${sent.origin} again`]
  const made: Arrival[] = []
  for (const origin of origins) {
    const one = { ...sent, origin, reference, minor: sent.minor - kept }
    made.push(...(await takeOne(books, one, { at, dueAt })))
  }
  return made
}

async function takeOne(
  books: Books,
  sent: Sent,
  { at, dueAt }: { readonly at: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<readonly Arrival[]> {
  const arrival = await insertArrival(books, await rowOf(books, sent, { at, dueAt }))
  if (arrival === undefined) {
    return []
  }
  if (Temporal.Instant.compare(dueAt, at) > 0) {
    await keepNotice(books, {
      type: 'cash_manager_transaction/pending_cash_manager_transaction',
      body: showArrivalTransaction(arrival),
      at,
    })
    return [arrival]
  }
  return [await completeArrival(books, arrival, at)]
}

async function rowOf(
  books: Books,
  sent: Sent,
  { at, dueAt }: { readonly at: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<Insertable<ArrivalTable>> {
  const { currency, minor } = sent
  const text = withoutSeparators(sent.reference)
  const conversion =
    (await conversionNamedIn(books, { currency, text })) ?? (await namelessAwaiting(books, { currency, minor }))
  const id = newId()
  return {
    id,
    origin: sent.origin,
    short_reference: shortReference('IF-', at, id),
    receiver_iban: sent.iban,
    currency,
    amount_minor: minor,
    reference: sent.reference,
    sender: JSON.stringify(sent.sender),
    conversion_id: conversion?.id ?? null,
    status: 'pending',
    created_at: at.toString(),
    completed_at: null,
    due_at: dueAt.toString(),
  }
}

/** One tenth of it unless the fault says how much; never all. */
function keptOf({ minor, currency }: Sent, amount: string | undefined): bigint {
  const asked = amount === undefined ? undefined : readAmount(amount, knownCurrency(currency))
  const kept = typeof asked === 'bigint' ? asked : minor / 10n
  return kept < minor ? kept : minor - 1n
}
