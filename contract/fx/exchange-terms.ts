/** Describes what a payment with exchange has besides its order: what it costs, and the account that its funding goes to. */
import { type Static, type TProperties, Type } from 'typebox'
import { wholeAddress } from '../payments/cross-border-payment.ts'
import { instant, Money, text, uuid } from '../shapes.ts'

const IntermediaryNumber = Type.Object(
  {
    iban: Type.Optional(text('The IBAN, where the account has one.')),
    bban: Type.Optional(text('The number in its domestic form.')),
    bic: Type.Optional(text('The bank of the account.')),
    clearingCode: Type.Optional(text('The clearing code of the bank, where its country has one.')),
  },
  { title: 'IntermediaryNumber', description: 'The account, by each of its numbers.' },
)

export const IntermediaryAccount = Type.Object(
  {
    account: IntermediaryNumber,
    contactInformation: Type.Object(
      { name: text('Whose account it is.'), address: wholeAddress('InvalidRequest') },
      { title: 'IntermediaryHolder', description: 'Who holds the account.' },
    ),
  },
  {
    title: 'IntermediaryAccount',
    description: 'The client account of the exchange provider to which the domestic funding payment goes.',
  },
)
export type IntermediaryAccount = Static<typeof IntermediaryAccount>

/** Members of a payment with exchange; one without has none of them. */
export const exchangeTerms = {
  costAmount: Type.Optional(Money),
  exchangeRate: Type.Optional(text('Units of the paying account’s currency for one unit of what is paid out.')),
  quoteExpiryTime: Type.Optional(
    instant('Until when the payment must be signed; it may be cancelled from then on if it is not.'),
  ),
  intermediaryAccount: Type.Optional(IntermediaryAccount),
  quoteId: Type.Optional(uuid('The quote that the payment booked.')),
} satisfies TProperties

const ExchangeTerms = Type.Object(exchangeTerms)
export type ExchangeTerms = Static<typeof ExchangeTerms>
