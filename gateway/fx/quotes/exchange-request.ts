/** What is asked of an exchange, whichever operation asks, and what of it a provider is told. */
import sepa from '../../../data/sepa-countries.json' with { type: 'json' }
import { transliterate } from '../../countries/character-sets.ts'
import type { Destination } from '../../countries/destinations/destination.ts'
import { keptDestination } from '../../countries/destinations/normalise-destination.ts'
import type { Money } from '../../platform/money.ts'
import type { Beneficiary, PayoutWay } from '../providers/beneficiary.ts'
import type { FixedSide } from '../providers/conversion.ts'
import type { Payer } from '../providers/payout.ts'
import type { QuoteTerms } from './quote.ts'

/** An exchange to be quoted; everything in it is sound by the rules. */
export type ExchangeAsked = {
  readonly company: { readonly countryCode: string; readonly organisationNumber: string }
  readonly endToEndId: string
  readonly payer: Payer
  /** From which country it is paid. */
  readonly fundingCountry: string
  /** The currency in which it is paid. */
  readonly fundingCurrency: string
  /** `buy`: `amount` is paid out. `sell`: `amount` is what is paid for it. */
  readonly fixedSide: FixedSide
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  readonly receiver: { readonly name: string; readonly destination: Destination & { readonly message: string } }
}

const sepaCountries: ReadonlySet<string> = new Set(Object.values(sepa.countries).flat())

/** The receiver as providers are told of one. */
export function beneficiaryOf({
  name,
  destination,
}: ExchangeAsked['receiver']): Beneficiary & { readonly way: PayoutWay } {
  const { bankCountry, account, bic, clearingCode, taxCode } = keptDestination(destination)
  const { streetName = '', buildingNumber = '', city = '', postCode = '', country } = destination.address
  const members = { street: told([streetName, buildingNumber].join(' ')), city: told(city), postCode: told(postCode) }
  const filled = Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ''))
  return {
    name: told(name),
    entityType: 'company',
    bankCountry,
    currency: destination.currency,
    account,
    bic,
    ...(clearingCode === undefined ? {} : { clearingCode }),
    address: { country, ...filled },
    way: wayTo(account, destination.currency),
    ...(taxCode === undefined ? {} : { taxCode }),
  }
}

/** What the payout is to say, and to whom it goes. */
export function termsOf({ receiver, payer }: ExchangeAsked): QuoteTerms {
  const { reason, purpose } = keptDestination(receiver.destination)
  const beneficiary = beneficiaryOf(receiver)
  const reference = told(receiver.destination.message)
  return {
    reference,
    reason: reason ?? reference,
    purposeCode: purpose ?? null,
    way: beneficiary.way,
    paymentDate: null,
    payer: {
      ...payer,
      name: told(payer.name),
      city: payer.city === null ? null : told(payer.city),
      address: payer.address === null ? null : told(payer.address),
    },
    beneficiary,
  }
}

/** By SWIFT every receiver can be reached; euro to an IBAN of its countries go by the euro area's own clearing. */
function wayTo(account: Beneficiary['account'], currency: string): PayoutWay {
  return currency === 'EUR' && 'iban' in account && sepaCountries.has(account.iban.slice(0, 2)) ? 'regular' : 'priority'
}

/** As it travels: in the characters of SWIFT, without spaces that nobody meant. */
function told(text: string): string {
  return transliterate(text).replace(/\s+/g, ' ').trim()
}
