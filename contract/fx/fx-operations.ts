/** Declares the operations on exchange: quotes, their validation, currencies, and the days on which it is possible. */
import { type Static, Type } from 'typebox'
import { ParsingError } from '../errors/error-codes.ts'
import { operation } from '../operation.ts'
import { countryCode, currencyCode, day, instant, Money, text, uuid } from '../shapes.ts'
import { ExchangeOrder } from './exchange-order.ts'

const IntermediaryAddress = Type.Object(
  {
    streetName: text('The street.'),
    buildingNumber: text('The number in the street; may be empty.'),
    city: text('The town; may be empty.'),
    postCode: text('The postal code; may be empty.'),
    country: countryCode('The country (ISO 3166-1 alpha-2).'),
  },
  { title: 'IntermediaryAddress', description: 'Where the holder is, as far as the provider tells it.' },
)

export const QuoteAccount = Type.Object(
  {
    account: Type.Object(
      {
        iban: text('The IBAN.'),
        bban: text('The number in the domestic form of the country from which it is paid.'),
        bic: text('The bank of the account.'),
      },
      { title: 'QuoteAccountNumber', description: 'The account, by each of its numbers.' },
    ),
    contactInformation: Type.Object(
      { name: text('Whose account it is.'), address: IntermediaryAddress },
      { title: 'QuoteAccountHolder', description: 'Who holds the account.' },
    ),
  },
  { title: 'QuoteAccount', description: 'The account of the exchange provider to which the cost is paid.' },
)
export type QuoteAccount = Static<typeof QuoteAccount>

export const ExchangeQuote = Type.Object(
  {
    quoteId: uuid('Identifies the quote for booking.'),
    endToEndId: text('As it was sent.'),
    requestedAmount: Money,
    costAmount: Money,
    exchangeRate: text('Units of the currency of `costAmount` for one unit of that of `requestedAmount`.'),
    quoteExpiryTime: instant('Until when the quote may be booked.'),
    referenceCode: text('Belongs in the message of the payment to the intermediary account, by which it is known.'),
    intermediaryAccount: QuoteAccount,
    markup: Type.Optional(
      text(
        'By how many percent the price is above the reference rate of the European Central Bank, negative when below; ' +
          'absent where there is no such rate.',
      ),
    ),
    chargeBearer: Type.Enum(['SHA'], { description: 'Who pays what banks charge: each side its own.' }),
    payoutDate: day('When the receiver is usually paid.'),
  },
  {
    title: 'ExchangeQuote',
    description:
      'What the exchange costs (`costAmount`) and what the receiver gets for it (`requestedAmount`), until it expires.',
  },
)
export type ExchangeQuote = Static<typeof ExchangeQuote>

export const ExchangeWarning = Type.Object(
  {
    code: Type.Enum(['BalanceTooLow', 'DeprecatedField', 'AccountNumberUnverified', 'DestinationUnverified'], {
      description:
        'BalanceTooLow: what is available on the account does not cover the payment, which is due now. DeprecatedField: ' +
        'the member is still taken, and has a successor. AccountNumberUnverified: a number looks wrong, though genuine ' +
        'ones like it exist. DestinationUnverified: something else about the receiver looks wrong. More may come.',
    }),
    reason: text('What the warning is about, for people.'),
    path: text('Which member it is about.'),
  },
  { title: 'ExchangeWarning', description: 'Something to look at that keeps nothing from being ordered.' },
)
export type ExchangeWarning = Static<typeof ExchangeWarning>

export const ExchangeValidation = Type.Object(
  {
    valid: Type.Literal(true, { description: 'Always true: what is not valid is refused.' }),
    endToEndId: text('As it was sent.'),
    warnings: Type.Array(ExchangeWarning, { description: 'What the partner should look at.' }),
  },
  { title: 'ExchangeValidation', description: 'An order of which a quote would be given.' },
)
export type ExchangeValidation = Static<typeof ExchangeValidation>

const asked = {
  method: 'POST',
  server: 'base',
  tag: 'Exchange',
  admits: 'partner',
  psu: 'none',
  body: ExchangeOrder,
  failures: [],
  refusals: [400, 401, 403, 409, 429, 500, 503],
  malformed: 'parsing-error',
  refusalBodies: { 400: ParsingError },
  plainRefusals: [403],
  validation: [
    'InvalidCreationTime',
    'InvalidDueDate',
    'InvalidFromAccount',
    'InvalidFromCountry',
    'InvalidToAddress',
    'InvalidToAccount',
    'InvalidBbanOrIban',
    'InvalidIban',
    'IbanBicMismatch',
    'InvalidBIC',
    'InvalidBeneficiaryCountry',
    'InvalidAmount',
    'InvalidQuoteCurrencyScale',
    'InvalidCurrency',
    'CurrencyPairMismatch',
    'InvalidRecipientInfo',
    'InvalidRemittanceInformation',
    // Of an Idempotency-Key that comes again with another body, and of nothing else.
    'InvalidRequest',
  ],
  idempotent: true,
  sandboxOnly: false,
} as const

/** The codes of an order that can be read and is wrong. */
export type ExchangeCode = (typeof asked)['validation'][number]

export const quoteExchange = operation({
  ...asked,
  id: 'quoteExchange',
  path: '/api/fx/payments',
  summary: 'Ask for a quote',
  description:
    'Holds a price for a payment in another currency: two minutes when it is due today, otherwise five, and never longer ' +
    'than the provider holds its rate. Book it by a cross-border payment with the quoteId, or by a domestic payment of ' +
    '`costAmount` to the intermediary account with the referenceCode in its message. What is not booked costs nothing.',
  answer: { status: 200, schema: ExchangeQuote },
})

export const validateExchange = operation({
  ...asked,
  id: 'validateExchange',
  path: '/api/fx/payments/validate',
  summary: 'Validate an exchange',
  description:
    'Judges an order as a request for a quote does, the provider’s own rules included, and holds no price. Where the ' +
    'payment is due now and a consent shows the account, the balance is looked at too: that counts as a read without ' +
    'the user, and is left out once the day has no more of them.',
  answer: { status: 200, schema: ExchangeValidation },
})

const limits = Type.Object(
  {
    dueToday: text('Due today.'),
    dueLater: Type.Union([Type.String(), Type.Null()], {
      description: 'Due later; null where the currency is never bought ahead.',
    }),
  },
  { title: 'CurrencyLimits', description: 'How much of the currency is exchanged at once, as decimals.' },
)

export const Currency = Type.Object(
  {
    currency: currencyCode('The currency (ISO 4217).'),
    decimals: Type.Integer({ minimum: 0, maximum: 4, description: 'How many decimals its amounts have.' }),
    funding: Type.Boolean({ description: 'Whether a payment with exchange can be paid for in it.' }),
    payout: Type.Boolean({ description: 'Whether receivers can be paid in it.' }),
    maxAmount: limits,
    dueDateMaxDays: Type.Integer({
      minimum: 0,
      description: 'How many bank days ahead a payment may be due; 0 where it is due on the day of the order only.',
    }),
    cutOffTime: text('Until when a payment may be due on the day of its order, as HH:MM in Oslo.'),
  },
  { title: 'Currency', description: 'A currency that is exchanged.' },
)
export type Currency = Static<typeof Currency>

export const listCurrencies = operation({
  id: 'listCurrencies',
  method: 'GET',
  path: '/api/currencies',
  server: 'base',
  tag: 'Exchange',
  summary: 'List the currencies',
  admits: 'partner',
  psu: 'none',
  answer: { status: 200, schema: Type.Array(Currency, { description: 'The currencies, by the alphabet.' }) },
  failures: [],
  refusals: [401, 403, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

export const ExchangeCalendar = Type.Object(
  {
    serviceOpen: Type.Boolean({ description: 'Whether exchange is ordered at this moment.' }),
    opensAt: instant('When it is ordered next; this moment while it is.'),
    cutOffTime: text('Until when a payment may be due on the day of its order, as HH:MM in Oslo.'),
    firstDueDate: day('The earliest day on which a payment that is ordered now may be due.'),
    defaultDueDate: day('The first day after today on which it may: its quote lives five minutes instead of two.'),
    lastDueDate: day('The latest such day; some currencies are not bought so far ahead.'),
    invalidDates: Type.Record(Type.String(), Type.String(), {
      description: 'The days asked for on which no payment may be due, `YYYY-MM-DD`, each with the reason, for people.',
    }),
  },
  { title: 'ExchangeCalendar', description: 'When exchange is possible.' },
)
export type ExchangeCalendar = Static<typeof ExchangeCalendar>

export const getExchangeCalendar = operation({
  id: 'getExchangeCalendar',
  method: 'GET',
  path: '/api/fx/calendar',
  server: 'base',
  tag: 'Exchange',
  summary: 'Read the calendar of exchange',
  admits: 'partner',
  psu: 'none',
  query: Type.Object({
    from: Type.Optional(day('The first day to tell of; today unless given.')),
    to: Type.Optional(day('The last one; 30 days later unless given, and a year later at most.')),
    country: Type.Optional(countryCode('The country from which it is paid; NO unless given.')),
    currency: Type.Optional(currencyCode('What is paid out, where its own limits are to count too.')),
  }),
  answer: { status: 200, schema: ExchangeCalendar },
  failures: [],
  refusals: [401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: false,
  sandboxOnly: false,
})
