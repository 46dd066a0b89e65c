/** Parses an exchange order: the fixed side, the destination, and the request to the provider. */

import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import sepa from '../../../data/sepa-countries.json' with { type: 'json' }
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { transliterate } from '../../countries/character-sets.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { normaliseDestination } from '../../countries/destinations/normalise-destination.ts'
import { parseDay } from '../../platform/clock.ts'
import { type Money, parseMoney } from '../../platform/money.ts'
import type { Beneficiary, PayoutMethod } from '../providers/beneficiary.ts'
import type { FixedSide } from '../providers/conversion.ts'
import type { Payer } from '../providers/payout.ts'
import type { PayoutTerms } from '../store/deal.ts'

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
    message: unstructured.trim(),
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
  return {
    company,
    endToEndId: metadata.endToEndId,
    payer: companyPayer(from, company.organisationNumber),
    fundingCountry: from.country,
    fundingCurrency: from.currency,
    fixedSide: side.fixedSide,
    amount,
    dueDate,
    receiver: { name: to.contactInformation.name, destination: destinationOf(order) },
  }
}

/** The company that an order names as its sender. */
export function companyPayer(
  { contactInformation: { name, address } }: Pick<ExchangeOrder['from'], 'contactInformation'>,
  organisationNumber: string,
): Payer {
  return {
    entityType: 'company',
    name,
    country: address.country,
    city: address.city,
    address: `${address.streetName} ${address.buildingNumber}`,
    postCode: address.postCode,
    organisationNumber,
  }
}

/** The sender's account in its normalised form. */
export function debtorOf({ from }: ExchangeOrder): { readonly bban: string; readonly iban: string | null } {
  return parseDebtorAccountNumber(from.country, from.bban)
}

/** An exchange to be quoted; all fields have passed validation. */
export type ExchangeRequest = {
  readonly company: { readonly countryCode: string; readonly organisationNumber: string }
  readonly endToEndId: string
  readonly payer: Payer
  /** The country of the debtor's bank. */
  readonly fundingCountry: string
  /** The currency of the debtor's account. */
  readonly fundingCurrency: string
  /** `buy`: `amount` is the payout. `sell`: `amount` is the cost. */
  readonly fixedSide: FixedSide
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  readonly receiver: { readonly name: string; readonly destination: Destination & { readonly message: string } }
}

const sepaCountries: ReadonlySet<string> = new Set(Object.values(sepa.countries).flat())

/** The receiver as a beneficiary at the provider. */
export function beneficiaryOf({
  name,
  destination,
}: ExchangeRequest['receiver']): Beneficiary & { readonly method: PayoutMethod } {
  const { bankCountry, account, bic, clearingCode, taxCode } = normaliseDestination(destination)
  const { streetName = '', buildingNumber = '', city = '', postCode = '', country } = destination.address
  const addressFields = {
    street: toSwiftText([streetName, buildingNumber].join(' ')),
    city: toSwiftText(city),
    postCode: toSwiftText(postCode),
  }
  const nonEmpty = Object.fromEntries(Object.entries(addressFields).filter(([, text]) => text !== ''))
  return {
    name: toSwiftText(name),
    entityType: 'company',
    bankCountry,
    currency: destination.currency,
    account,
    bic,
    ...(clearingCode === undefined ? {} : { clearingCode }),
    address: { country, ...nonEmpty },
    method: payoutMethodOf(account, destination.currency),
    ...(taxCode === undefined ? {} : { taxCode }),
  }
}

/** The payout order and its beneficiary. */
export function termsOf({ receiver, payer }: ExchangeRequest): PayoutTerms {
  const { reason, purpose } = normaliseDestination(receiver.destination)
  const beneficiary = beneficiaryOf(receiver)
  const reference = toSwiftText(receiver.destination.message)
  return {
    reference,
    reason: reason ?? reference,
    purposeCode: purpose ?? null,
    method: beneficiary.method,
    payer: {
      ...payer,
      name: toSwiftText(payer.name),
      city: toSwiftText(payer.city),
      address: toSwiftText(payer.address),
    },
    beneficiary,
  }
}

/** SWIFT reaches every receiver; euro to an IBAN of a SEPA country go through the local clearing. */
function payoutMethodOf(account: Beneficiary['account'], currency: string): PayoutMethod {
  return currency === 'EUR' && 'iban' in account && sepaCountries.has(account.iban.slice(0, 2)) ? 'regular' : 'priority'
}

/** Transliterates to the SWIFT character set, and collapses spaces. */
function toSwiftText(text: string): string {
  return transliterate(text).replace(/\s+/g, ' ').trim()
}
