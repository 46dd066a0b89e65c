/** Parses an exchange order: the fixed side, the destination, and the request to the provider. */

import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { parseMoney } from '../../platform/money.ts'
import { parseDay } from '../../platform/time-format.ts'
import type { FixedSide } from '../providers/conversion.ts'
import type { ExchangeRequest } from './exchange-request.ts'

/** The fixed side and the payout currency; null where the currencies contradict each other. */
export type ExchangeSide = { readonly fixedSide: FixedSide; readonly payoutCurrency: string } | null

/** `sell` if `amount` is in the sender's currency and another one is paid out; `buy` if in the payout currency. */
export function exchangeSideOf({ amount, from, to }: ExchangeOrder): ExchangeSide {
  const payoutCurrency = to.currency ?? amount.currency
  if (payoutCurrency === from.currency) {
    return null
  }
  if (amount.currency === payoutCurrency) {
    return { fixedSide: 'buy', payoutCurrency }
  }
  return amount.currency === from.currency ? { fixedSide: 'sell', payoutCurrency } : null
}

/** The destination, as input of the country rules. */
export function destinationOf(order: ExchangeOrder): Destination & { readonly message: string } {
  const { to, remittanceInformation, purposeCode = '' } = order
  const { additionalInformation = [], unstructured } = remittanceInformation
  const deprecatedPurpose =
    purposeCode.trim() === '' || additionalInformation.some(({ type }) => type === 'Purpose')
      ? []
      : [{ type: 'Purpose' as const, value: purposeCode }]
  const amount = parseMoney(order.amount.amount, order.amount.currency)
  return {
    account: to.account,
    address: to.contactInformation.address,
    currency: to.currency ?? order.amount.currency,
    ...(amount === undefined ? {} : { amount }),
    additionalInformation: [...additionalInformation, ...deprecatedPurpose],
    message: unstructured,
  }
}

/** The request for a quote; `order` must have passed validation. */
export function exchangeRequestOf(order: ExchangeOrder, company: ExchangeRequest['company']): ExchangeRequest {
  const { from, to, metadata } = order
  const [side, amount, dueDate] = [
    exchangeSideOf(order),
    parseMoney(order.amount.amount, order.amount.currency),
    parseDay(order.dueDate),
  ]
  if (side === null || amount === undefined || dueDate === undefined) {
    throw new Error('The exchange order was not validated')
  }
  const { name, address } = from.contactInformation
  return {
    company,
    endToEndId: metadata.endToEndId,
    payer: {
      entityType: 'company',
      name,
      country: address.country,
      city: address.city,
      address: `${address.streetName} ${address.buildingNumber}`,
      postCode: address.postCode,
      organisationNumber: company.organisationNumber,
    },
    fundingCountry: from.country,
    fundingCurrency: from.currency,
    fixedSide: side.fixedSide,
    amount,
    dueDate,
    receiver: { name: to.contactInformation.name, destination: destinationOf(order) },
  }
}

/** The sender's account in its normalised form. */
export function debtorOf({ from }: ExchangeOrder): { readonly bban: string; readonly iban: string | null } {
  return parseDebtorAccountNumber(from.country, from.bban)
}
