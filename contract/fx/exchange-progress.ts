/** Describes the progress of the exchange of a payment: its funding, its payout and its timeline. */
import { type Static, type TProperties, Type } from 'typebox'
import { day, instant, Money, text } from '../shapes.ts'

const Funding = Type.Object(
  {
    amount: Money,
    referenceCode: text('The reference in the funding payment, by which the provider matches it.'),
    status: Type.Enum(['Unsigned', 'Signed', 'Arrived', 'NotFunded'], {
      description:
        'Unsigned: waits for its signature. Signed: the bank executes it. Arrived: the provider received ' +
        'it. NotFunded: no money is expected any more; late money is returned.',
    }),
    signBefore: instant('The deadline for signing.'),
    signedAt: Type.Optional(instant('When it was signed, if known.')),
  },
  { title: 'ExchangeFunding', description: 'The domestic payment to the provider: a separate order at the bank.' },
)

const Payout = Type.Object(
  {
    amount: Money,
    status: Type.Enum(['Waiting', 'Ordered', 'Completed', 'Returned', 'Undone'], {
      description:
        'Waiting: for its funding. Ordered: the provider is paying out. Completed: the receiver’s bank ' +
        'received it. Returned: it was returned. Undone: there will be no payout.',
    }),
    expectedDate: day('The day on which the receiver is usually paid.'),
    returnedAmount: Type.Optional(Money),
  },
  { title: 'ExchangePayout', description: 'The payment from the provider to the receiver.' },
)

const Step = Type.Object(
  {
    at: instant('When it happened.'),
    event: Type.Enum(
      [
        'Quoted',
        'Booked',
        'BookingRefused',
        'Signed',
        'Funded',
        'PayoutOrdered',
        'PaidOut',
        'PayoutReturned',
        'Refunded',
        'Undoing',
        'Undone',
        'MoneyHeld',
        'MoneySentBack',
        'MoneyBackAtSender',
      ],
      { description: 'The event. Money that is late, or of another amount, is held, then returned.' },
    ),
    amount: Type.Optional(Money),
    reason: Type.Optional(text('The reason, in our text or the provider’s.')),
  },
  { title: 'ExchangeStep', description: 'One event of the exchange.' },
)

/** Additional fields of a payment with exchange, in its details. */
export const exchangeProgressFields = {
  funding: Type.Optional(Funding),
  payout: Type.Optional(Payout),
  timeline: Type.Optional(Type.Array(Step, { description: 'The events of the exchange, oldest first.' })),
} satisfies TProperties

const ExchangeProgress = Type.Object(exchangeProgressFields)
export type ExchangeProgress = Static<typeof ExchangeProgress>
