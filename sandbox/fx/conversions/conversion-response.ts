/** Shows a conversion as the provider's answers and notifications have it. */
import { knownCurrency, pairOf, printAmount } from '../market/market.ts'
import { printDay, printInstant } from '../protocol/format-time.ts'
import type { Conversion } from './conversion-store.ts'
import { HOUSE } from './house-account.ts'

/** What is paid out of a conversion. */
export type PaidOut = { readonly paymentIds: readonly string[]; readonly minor: bigint }

export function showConversion(conversion: Conversion, paidOut: PaidOut): object {
  const { buy_currency: buy, sell_currency: sell } = conversion
  const unallocated = conversion.loss_minor === null ? conversion.buy_minor - paidOut.minor : 0n
  return {
    id: conversion.id,
    settlement_date: printInstant(conversion.settles_at),
    conversion_date: printDay(conversion.conversion_on),
    short_reference: conversion.short_reference,
    creator_contact_id: HOUSE.contactId,
    account_id: HOUSE.accountId,
    currency_pair: pairOf(knownCurrency(buy), knownCurrency(sell))
      .map(({ code }) => code)
      .join(''),
    status: conversion.status,
    buy_currency: buy,
    sell_currency: sell,
    client_buy_amount: printAmount(conversion.buy_minor, buy),
    client_sell_amount: printAmount(conversion.sell_minor, sell),
    fixed_side: conversion.fixed_side,
    core_rate: conversion.client_rate,
    partner_rate: '',
    partner_buy_amount: '0.00',
    partner_sell_amount: '0.00',
    client_rate: conversion.client_rate,
    deposit_required: false,
    deposit_amount: '0.00',
    deposit_currency: '',
    deposit_status: 'not_required',
    deposit_required_at: '',
    payment_ids: paidOut.paymentIds,
    unallocated_funds: printAmount(unallocated, buy),
    unique_request_id: conversion.request_id,
    created_at: printInstant(conversion.created_at),
    updated_at: printInstant(conversion.updated_at),
    mid_market_rate: conversion.mid_rate,
  }
}
