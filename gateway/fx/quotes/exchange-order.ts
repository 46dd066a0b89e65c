/** Reads an order of exchange: which side of it is given, where it goes, and what is asked of the provider. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { senderNumber } from '../../countries/debtor-account-number.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { parseMoney } from '../../platform/money.ts'
import type { FixedSide } from '../providers/conversion.ts'
import type { ExchangeAsked } from './exchange-request.ts'

/** Which amount is given, and what is paid out; null where the currencies contradict each other. */
export type Side = { readonly fixedSide: FixedSide; readonly payoutCurrency: string } | null

/** SELL where `amount` is in the sender's currency and another one is to be paid out; BUY where it is what is paid out. */
export function sideOf({ amount, from, to }: ExchangeOrder): Side {
  const payoutCurrency = to.currency ?? amount.currency
  if (payoutCurrency === from.currency) {
    return null
  }
  if (amount.currency === payoutCurrency) {
    return { fixedSide: 'buy', payoutCurrency }
  }
  return amount.currency === from.currency ? { fixedSide: 'sell', payoutCurrency } : null
}

/** Where it goes, as the rules of countries look at it. */
export function destinationOf(order: ExchangeOrder): Destination & { readonly message: string } {
  const { to, remittanceInformation, purposeCode = '' } = order
  const { additionalInformation = [], unstructured } = remittanceInformation
  const alsoPurpose =
    purposeCode.trim() === '' || additionalInformation.some(({ type }) => type === 'Purpose')
      ? []
      : [{ type: 'Purpose' as const, value: purposeCode }]
  const amount = parseMoney(order.amount.amount, order.amount.currency)
  return {
    account: to.account,
    address: to.contactInformation.address,
    currency: to.currency ?? order.amount.currency,
    ...(amount === undefined ? {} : { amount }),
    additionalInformation: [...additionalInformation, ...alsoPurpose],
    message: unstructured,
  }
}

/** The day that a text names; undefined where the calendar has none. */
export function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}

/** What is asked of the provider. Takes an order that has passed the rules. */
export function askedOf(order: ExchangeOrder, company: ExchangeAsked['company']): ExchangeAsked {
  const { from, to, metadata } = order
  const [side, amount, dueDate] = [
    sideOf(order),
    parseMoney(order.amount.amount, order.amount.currency),
    dayOf(order.dueDate),
  ]
  if (side === null || amount === undefined || dueDate === undefined) {
    throw new Error('An order of exchange got past the rules')
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

/** The sender's account in its kept form. */
export function senderOf({ from }: ExchangeOrder): { readonly bban: string; readonly iban: string | null } {
  return senderNumber(from.country, from.bban)
}
