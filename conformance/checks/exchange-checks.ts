/** Checks the exchange: quotes in both directions, validation, currencies and the calendar. */
import { examplesByOperation } from '../../contract/examples/examples-by-operation.ts'
import type { ExchangeOrder } from '../../contract/fx/exchange-order.ts'
import { quoteExchange } from '../../contract/fx/fx-operations.ts'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import { type Check, type CheckContext, documentedIn, NotApplicable } from '../check.ts'
import { errorProblems, require, requireError, requireNone, requireStatus } from '../expectations.ts'
import { mainPayer } from '../subjects/consents.ts'
import { ordering, requireSandbox, uniqueName } from '../subjects/payments.ts'
import { serverTime, subject } from '../subjects/subject.ts'
import { exampleOf } from './operations-by-need.ts'

const QUOTE_SECONDS_MAX = 300
const RATE_TOLERANCE = 0.001

/** An order in dollars from the account of the checks, like that of the documentation. */
const dollarOrder = subject(async (context: CheckContext): Promise<ExchangeOrder> => {
  const { account } = await ordering(context)
  const { company, bank } = await mainPayer(context)
  const { defaultDueDate, serviceOpen } = await context.succeed('getExchangeCalendar')
  if (!serviceOpen) {
    throw new NotApplicable('The exchange service is closed now')
  }
  const example = exampleOf(quoteExchange).body as ExchangeOrder
  return {
    ...example,
    metadata: {
      organizationCountryCode: company.country,
      organizationNumber: company.organizationNumber,
      endToEndId: uniqueName(),
    },
    from: { ...example.from, bban: account.bban, bic: bank.bic, currency: account.currency, country: account.country },
    dueDate: defaultDueDate ?? example.dueDate,
  }
})

/** The cross-border payment of the documentation, from the account of the checks. */
async function dollarPayment(context: CheckContext): Promise<CrossBorderPayment> {
  const { account } = await ordering(context)
  const { bank } = await mainPayer(context)
  const { dueDate } = await dollarOrder(context)
  const example = examplesByOperation.initiateCrossBorderPayment.find(({ body }) => body.amount.currency === 'USD')
  if (example === undefined || account.country !== 'NO') {
    throw new NotApplicable('It needs an account in Norway: other countries require other reporting')
  }
  const from = {
    ...example.body.from,
    account: { type: 'bban' as const, bic: bank.bic, bban: account.bban },
    currency: account.currency,
    organizationNumber: account.organizationNumber,
  }
  const amount = { amount: '100.00', currency: 'USD' }
  return { ...example.body, metadata: { endToEndId: uniqueName() }, from, amount, dueDate }
}

/** Throws `NotApplicable` where the company or the server has no exchange. */
async function quote(context: CheckContext, changes: Partial<ExchangeOrder> = {}) {
  const answer = await context.call('quoteExchange', { body: { ...(await dollarOrder(context)), ...changes } })
  if (answer.status === 403 || answer.status === 503) {
    throw new NotApplicable(`The exchange is not available: ${answer.text.slice(0, 200)}`)
  }
  requireStatus(answer, 200)
  return Object(answer.body)
}

export const EXCHANGE_CHECKS: readonly Check[] = documentedIn('Guide: exchange', [
  {
    id: 'exchange-buy',
    title: 'A quote buys the amount that the receiver gets',
    rule: 'requestedAmount is the amount of the order; costAmount is the amount times exchangeRate, and the quote expires within five minutes.',
    run: async (context) => {
      const found = await quote(context)
      const order = await dollarOrder(context)
      const [requested, cost] = [Number(found.requestedAmount.amount), Number(found.costAmount.amount)]
      const now = await serverTime(context)
      const seconds = Temporal.Instant.from(found.quoteExpiryTime).since(now).total('seconds')
      requireNone([
        found.requestedAmount.amount === order.amount.amount || `requestedAmount is ${found.requestedAmount.amount}`,
        found.requestedAmount.currency === 'USD' || `Its currency is ${found.requestedAmount.currency}`,
        found.costAmount.currency === order.from.currency || `costAmount is in ${found.costAmount.currency}`,
        Math.abs(cost / (requested * Number(found.exchangeRate)) - 1) < RATE_TOLERANCE ||
          `${cost} is not ${requested} × ${found.exchangeRate}`,
        (seconds > 0 && seconds <= QUOTE_SECONDS_MAX) || `The quote expires in ${seconds} seconds`,
        found.endToEndId === order.metadata.endToEndId || `endToEndId is ${found.endToEndId}`,
      ])
    },
  },
  {
    id: 'exchange-sell',
    title: 'A quote sells the amount that the sender pays',
    rule: 'With an amount in the currency of the account and another to.currency, costAmount is exactly the amount.',
    run: async (context) => {
      const order = await dollarOrder(context)
      const amount = { amount: '1000.00', currency: order.from.currency }
      const found = await quote(context, { amount, to: { ...order.to, currency: 'USD' } })
      require(found.costAmount.amount === '1000.00', `costAmount is ${found.costAmount.amount}`)
      require(found.requestedAmount.currency === 'USD', `requestedAmount is in ${found.requestedAmount.currency}`)
    },
  },
  {
    id: 'exchange-validate',
    title: 'An order is validated without a quote',
    rule: 'A valid order returns valid: true with its endToEndId; the same currency twice is 422 CurrencyPairMismatch.',
    reference: 'API reference: validateExchange',
    run: async (context) => {
      await quote(context)
      const order = await dollarOrder(context)
      const { valid, endToEndId } = await context.succeed('validateExchange', { body: order })
      require(valid && endToEndId === order.metadata.endToEndId, `valid is ${valid} for ${endToEndId}`)
      const same = { ...order, amount: { ...order.amount, currency: order.from.currency } }
      requireError(await context.call('validateExchange', { body: same }), 422, 'CurrencyPairMismatch')
    },
  },
  {
    id: 'exchange-parsing-errors',
    title: 'Requests that cannot be parsed have a parsing error',
    rule: 'The response is 400 with code, reason and path of the first error.',
    reference: 'Error catalogue: MissingField, InvalidFieldType',
    run: async (context) => {
      const order = await dollarOrder(context)
      const { amount: _amount, ...incomplete } = order
      const send = (body: object) => context.call('validateExchange', { body })
      requireNone([
        ...errorProblems(await send(incomplete), 400, 'MissingField', '.amount'),
        ...errorProblems(await send({ ...order, dueDate: 1 }), 400, 'InvalidFieldType', '.dueDate'),
        ...errorProblems(await send({ ...order, dueDate: 'x' }), 400, 'InvalidFieldFormat', '.dueDate'),
      ])
    },
  },
  {
    id: 'exchange-cross-border',
    title: 'A cross-border payment with exchange has a quote and a funding account',
    rule: 'The response has costAmount in the currency of the account, exchangeRate, quoteExpiryTime and intermediaryAccount; the payment is Unsigned, and can be cancelled.',
    reference: 'API reference: initiateCrossBorderPayment',
    run: async (context) => {
      requireSandbox(context)
      await quote(context)
      const { consentId, account } = await ordering(context)
      const body = await dollarPayment(context)
      const found = await context.succeed('initiateCrossBorderPayment', { consentId, body })
      requireNone([
        found.paymentStatus.status === 'Unsigned' || `It is ${found.paymentStatus.status}`,
        found.costAmount?.currency === account.currency || `costAmount is in ${String(found.costAmount?.currency)}`,
        Number(found.exchangeRate) > 0 || `exchangeRate is ${String(found.exchangeRate)}`,
        found.quoteExpiryTime !== undefined || 'quoteExpiryTime is missing',
        found.intermediaryAccount !== undefined || 'intermediaryAccount is missing',
      ])
      const cancellation = { paymentId: found.paymentId, callbackUrl: context.target.callbackUrl }
      await context.succeed('cancelPayment', { consentId, body: cancellation })
    },
  },
  {
    id: 'exchange-currencies',
    title: 'Currencies have their decimals',
    rule: 'decimals are those of ISO 4217, and each currency is listed once.',
    reference: 'API reference: listCurrencies',
    run: async (context) => {
      const currencies = await context.succeed('listCurrencies')
      const decimals = new Map(currencies.map((each) => [each.currency, each.decimals]))
      const known = Object.entries({ NOK: 2, SEK: 2, EUR: 2, USD: 2, JPY: 0, KWD: 3 })
      requireNone([
        decimals.size === currencies.length || 'A currency is listed twice',
        ...known
          .filter(([currency, count]) => (decimals.get(currency) ?? count) !== count)
          .map(([currency]) => `${currency} has ${String(decimals.get(currency))} decimals`),
      ])
    },
  },
])
