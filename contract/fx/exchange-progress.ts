/** Describes what became of the exchange of a payment: its funding, its payout, and what happened when. */
import { type Static, type TProperties, Type } from 'typebox'
import { day, instant, Money, text } from '../shapes.ts'

const Funding = Type.Object(
  {
    amount: Money,
    referenceCode: text('What the order says to the provider, who knows by it what the money is for.'),
    status: Type.Enum(['Unsigned', 'Signed', 'Arrived', 'NotFunded'], {
      description:
        'Unsigned: it waits for its signature. Signed: it is on its way. Arrived: the provider has it. NotFunded: nothing ' +
        'is expected of it any more; money that comes all the same is sent back.',
    }),
    signBefore: instant('The deadline; it tests signing only.'),
    signedAt: Type.Optional(instant('When it was signed, as far as that is known.')),
  },
  { title: 'ExchangeFunding', description: 'The domestic payment to the provider: an order of its own at the bank.' },
)

const Payout = Type.Object(
  {
    amount: Money,
    status: Type.Enum(['Waiting', 'Ordered', 'Completed', 'Returned', 'Undone'], {
      description:
        'Waiting: for its funding. Ordered: the provider is paying it out. Completed: the receiver’s bank has it. Returned: ' +
        'it came back. Undone: there will be none.',
    }),
    expectedDate: day('On which day the receiver is usually paid.'),
    returnedAmount: Type.Optional(Money),
  },
  { title: 'ExchangePayout', description: 'What the receiver is paid, by the provider.' },
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
      { description: 'What happened. Money that is late, short or too much is held, then sent back.' },
    ),
    amount: Type.Optional(Money),
    reason: Type.Optional(text('Why, in our words or the provider’s.')),
  },
  { title: 'ExchangeStep', description: 'One thing that happened to the exchange.' },
)

/** Members of the detail of a payment with exchange. */
export const exchangeShown = {
  funding: Type.Optional(Funding),
  payout: Type.Optional(Payout),
  timeline: Type.Optional(Type.Array(Step, { description: 'What happened to the exchange, oldest first.' })),
} satisfies TProperties

const ExchangeShown = Type.Object(exchangeShown)
export type ExchangeShown = Static<typeof ExchangeShown>
