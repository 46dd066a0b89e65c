/** Defines a validated exchange request, and maps it to the provider's beneficiary and payout terms. */
import sepa from '../../../data/sepa-countries.json' with { type: 'json' }
import { transliterate } from '../../countries/character-sets.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { normaliseDestination } from '../../countries/destinations/normalise-destination.ts'
import type { Money } from '../../platform/money.ts'
import type { Beneficiary, PayoutMethod } from '../providers/beneficiary.ts'
import type { FixedSide } from '../providers/conversion.ts'
import type { Payer } from '../providers/payout.ts'
import type { QuoteTerms } from './quote.ts'

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
export function termsOf({ receiver, payer }: ExchangeRequest): QuoteTerms {
  const { reason, purpose } = normaliseDestination(receiver.destination)
  const beneficiary = beneficiaryOf(receiver)
  const reference = toSwiftText(receiver.destination.message)
  return {
    reference,
    reason: reason ?? reference,
    purposeCode: purpose ?? null,
    method: beneficiary.method,
    paymentDate: null,
    payer: {
      ...payer,
      name: toSwiftText(payer.name),
      city: payer.city === null ? null : toSwiftText(payer.city),
      address: payer.address === null ? null : toSwiftText(payer.address),
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
