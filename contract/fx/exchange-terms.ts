/** Describes the terms of a payment with exchange: its cost and the account for its funding. */

import { type Static, type TProperties, Type } from 'typebox'
import { completeAddress } from '../payment-parts.ts'
import { instant, Money, text, uuid } from '../shapes.ts'

const IntermediaryNumber = Type.Object(
  {
    iban: Type.Optional(text('The IBAN, where the account has one.')),
    bban: Type.Optional(text('The account number in its domestic format.')),
    bic: Type.Optional(text('The bank of the account.')),
    clearingCode: Type.Optional(text('The clearing code of the bank, where its country has one.')),
  },
  { title: 'IntermediaryNumber', description: 'The identifiers of the account.' },
)

export const IntermediaryAccount = Type.Object(
  {
    account: IntermediaryNumber,
    contactInformation: Type.Object(
      { name: text('The name of the account holder.'), address: completeAddress('InvalidRequest') },
      { title: 'IntermediaryHolder', description: 'The account holder.' },
    ),
  },
  {
    title: 'IntermediaryAccount',
    description: 'The client account of the FX provider that receives the domestic funding payment.',
  },
)
export type IntermediaryAccount = Static<typeof IntermediaryAccount>

/** Fields of a payment with exchange only. */
export const exchangeTerms = {
  costAmount: Type.Optional(Money),
  exchangeRate: Type.Optional(text('Units of the debtor account’s currency for one unit of the payout currency.')),
  quoteExpiryTime: Type.Optional(
    instant('The time by which the payment must be signed; after it, an unsigned payment may be cancelled.'),
  ),
  intermediaryAccount: Type.Optional(IntermediaryAccount),
  quoteId: Type.Optional(uuid('The quote that the payment booked.')),
} satisfies TProperties

const ExchangeTerms = Type.Object(exchangeTerms)
export type ExchangeTerms = Static<typeof ExchangeTerms>
