/** Declares the operations on exchange: quotes, validation, currencies and the exchange calendar. */
import { type Static, Type } from 'typebox'
import { ParsingError } from '../errors/error-bodies.ts'
import { operation } from '../operation.ts'
import { countryCode, currencyCode, day, instant, Money, text, textOrNull, uuid } from '../shapes.ts'
import { ExchangeOrder } from './exchange-order.ts'

const IntermediaryAddress = Type.Object(
  {
    streetName: text('The street.'),
    buildingNumber: text('The number in the street; may be empty.'),
    city: text('The town; may be empty.'),
    postCode: text('The postal code; may be empty.'),
    country: countryCode('The country (ISO 3166-1 alpha-2).'),
  },
  {
    title: 'IntermediaryAddress',
    description: 'The address of the account holder, as far as the provider reports it.',
  },
)

export const QuoteAccount = Type.Object(
  {
    account: Type.Object(
      {
        iban: text('The IBAN.'),
        bban: text('The account number in the domestic format of the debtor’s country.'),
        bic: text('The bank of the account.'),
        clearingCode: Type.Optional(text('The clearing code of the bank, where its country has such codes.')),
      },
      { title: 'QuoteAccountNumber', description: 'The identifiers of the account.' },
    ),
    contactInformation: Type.Object(
      { name: text('The name of the account holder.'), address: IntermediaryAddress },
      { title: 'QuoteAccountHolder', description: 'The account holder.' },
    ),
  },
  { title: 'QuoteAccount', description: 'The account of the FX provider to which the cost is paid.' },
)
export type QuoteAccount = Static<typeof QuoteAccount>

export const ExchangeQuote = Type.Object(
  {
    quoteId: uuid('Identifies the quote for booking.'),
    endToEndId: text('The endToEndId of the request.'),
    requestedAmount: Money,
    costAmount: Money,
    exchangeRate: text('Units of the currency of `costAmount` for one unit of that of `requestedAmount`.'),
    quoteExpiryTime: instant('When the quote expires.'),
    referenceCode: text(
      'Put it in the message of the payment to the intermediary account; the payment is matched by it.',
    ),
    intermediaryAccount: QuoteAccount,
    markup: Type.Optional(
      text(
        'By how many percent the price is above the reference rate of the European Central Bank, negative when ' +
          'below; absent where there is no such rate.',
      ),
    ),
    chargeBearer: Type.Enum(['SHA'], { description: 'Who pays bank charges: each side its own.' }),
    payoutDate: day('When the receiver is usually paid.'),
  },
  {
    title: 'ExchangeQuote',
    description:
      'The cost of the exchange (`costAmount`) and what the receiver gets (`requestedAmount`), until it expires.',
  },
)
export type ExchangeQuote = Static<typeof ExchangeQuote>

export const ExchangeWarning = Type.Object(
  {
    code: Type.Enum(['BalanceTooLow', 'DeprecatedField', 'AccountNumberUnverified', 'DestinationUnverified'], {
      description:
        'BalanceTooLow: the available balance does not cover the payment, which is due now. DeprecatedField: the ' +
        'field is still accepted, but has a successor. AccountNumberUnverified: a number looks wrong, though valid ' +
        'ones like it exist. DestinationUnverified: other data of the receiver looks wrong. More codes may be added.',
    }),
    reason: text('The reason for the warning, as text.'),
    path: text('The path of the field.'),
  },
  { title: 'ExchangeWarning', description: 'A warning; the order is possible nevertheless.' },
)
export type ExchangeWarning = Static<typeof ExchangeWarning>

export const ExchangeValidation = Type.Object(
  {
    valid: Type.Literal(true, { description: 'Always true: an invalid order gets an error.' }),
    endToEndId: text('The endToEndId of the request.'),
    warnings: Type.Array(ExchangeWarning, { description: 'Warnings to check.' }),
  },
  { title: 'ExchangeValidation', description: 'The result for a valid order.' },
)
export type ExchangeValidation = Static<typeof ExchangeValidation>

const asked = {
  method: 'POST',
  tag: 'Exchange',
  admits: 'partner',
  body: ExchangeOrder,
  errorStatuses: [400, 401, 403, 409, 429, 500, 503],
  malformed: 'parsing-error',
  errorBodies: { 400: ParsingError },
  plainTextErrors: [403],
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
    // Only for an Idempotency-Key that is reused with another body.
    'InvalidRequest',
  ],
  idempotent: true,
} as const

/** The codes of an order that can be parsed but is invalid. */
export type ExchangeCode = (typeof asked)['validation'][number]

export const quoteExchange = operation({
  ...asked,
  id: 'quoteExchange',
  path: '/api/fx/payments',
  summary: 'Create a quote',
  description:
    'Holds a price for a payment in another currency: two minutes when it is due today, otherwise five, and never ' +
    'longer than the provider holds its rate. Book it by a cross-border payment with the quoteId, or by a domestic ' +
    'payment of `costAmount` to the intermediary account with the referenceCode in its message. A quote that is not ' +
    'booked costs nothing.',
  answer: { status: 200, schema: ExchangeQuote },
})

export const validateExchange = operation({
  ...asked,
  id: 'validateExchange',
  path: '/api/fx/payments/validate',
  summary: 'Validate an exchange',
  description:
    'Validates an order like a request for a quote, including the provider’s own rules, without holding a price. If ' +
    'the payment is due now and a consent covers the account, the balance is checked too: that counts as a read ' +
    'without the user, and is skipped when no such reads are left for the day.',
  answer: { status: 200, schema: ExchangeValidation },
})

const limits = Type.Object(
  {
    dueToday: text('Due today.'),
    dueLater: textOrNull('Due later; null if the currency can be ordered on the due date only.'),
  },
  { title: 'CurrencyLimits', description: 'The largest amounts of one exchange, as decimals.' },
)

export const Currency = Type.Object(
  {
    currency: currencyCode('The currency (ISO 4217).'),
    decimals: Type.Integer({ minimum: 0, maximum: 4, description: 'The number of decimals of its amounts.' }),
    funding: Type.Boolean({ description: 'Whether a payment with exchange can be funded in it.' }),
    payout: Type.Boolean({ description: 'Whether receivers can be paid in it.' }),
    maxAmount: limits,
    dueDateMaxDays: Type.Integer({
      minimum: 0,
      description: 'How many bank days ahead a payment may be due; 0 if only on the day of the order.',
    }),
    cutOffTime: text('The cut-off time of payments due on the day of their order, as HH:MM in Oslo.'),
  },
  { title: 'Currency', description: 'A supported currency.' },
)
export type Currency = Static<typeof Currency>

export const listCurrencies = operation({
  id: 'listCurrencies',
  method: 'GET',
  path: '/api/currencies',
  tag: 'Exchange',
  summary: 'List the currencies',
  description: 'The currencies of payments with exchange, with their limits.',
  admits: 'partner',
  answer: { status: 200, schema: Type.Array(Currency, { description: 'The currencies, in alphabetical order.' }) },
  errorStatuses: [401, 403, 429, 500, 503],
})

export const ExchangeCalendar = Type.Object(
  {
    serviceOpen: Type.Boolean({ description: 'Whether exchange can be ordered now.' }),
    opensAt: instant('When exchange can next be ordered; the present time while it is open.'),
    cutOffTime: text('The cut-off time of payments due on the day of their order, as HH:MM in Oslo.'),
    firstDueDate: day('The earliest due date of a payment that is ordered now.'),
    defaultDueDate: day('The first due date after today: its quote is valid for five minutes instead of two.'),
    lastDueDate: day('The latest due date; some currencies have an earlier one.'),
    invalidDates: Type.Record(Type.String(), Type.String(), {
      description: 'The days of the range that cannot be a due date, `YYYY-MM-DD`, each with the reason as text.',
    }),
  },
  { title: 'ExchangeCalendar', description: 'The opening hours and possible due dates of exchange.' },
)
export type ExchangeCalendar = Static<typeof ExchangeCalendar>

export const getExchangeCalendar = operation({
  id: 'getExchangeCalendar',
  method: 'GET',
  path: '/api/fx/calendar',
  tag: 'Exchange',
  summary: 'Get the exchange calendar',
  description: 'The opening hours and possible due dates of payments with exchange.',
  admits: 'partner',
  query: Type.Object({
    from: Type.Optional(day('The first day of the range; today by default.')),
    to: Type.Optional(day('The last day of the range; 30 days later by default, at most a year later.')),
    country: Type.Optional(countryCode('The country of the debtor account; NO by default.')),
    currency: Type.Optional(currencyCode('The payout currency, to apply its limits too.')),
  }),
  answer: { status: 200, schema: ExchangeCalendar },
  errorStatuses: [401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
})
