/** Declares the sandbox operations on the FX provider: simulated faults, payout events and inbound funds. */
import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { nonBlankText, text, uuid } from '../shapes.ts'
import { sandboxStep } from './sandbox-bank.ts'

const amount = (description: string) =>
  Type.String({
    pattern: '^[0-9]{1,12}(\\.[0-9]{1,4})?$',
    form: 'must be a decimal with a point, at most four decimals and no sign, for example 1250.00',
    description,
  })

export const disturbSandboxExchange = operation({
  ...sandboxStep,
  id: 'disturbSandboxExchange',
  path: '/api/sandbox/exchange/faults',
  summary: 'Simulate a fault of the FX provider',
  destructive: 'The FX provider fails for every partner of the sandbox.',
  description:
    'Once, unless `times` says otherwise; `down` until `DELETE /api/sandbox/faults`, which ends every fault.',
  body: Type.Object(
    {
      effect: Type.Enum(
        [
          'down',
          'slow',
          'too-many-requests',
          'lose-answer',
          'quote-expires-early',
          'no-rate',
          'closed',
          'refuse-booking',
          'refuse-cancelling',
          'refuse-beneficiary',
          'refuse-payment',
          'funding-late',
          'funding-short',
          'funding-double',
          'funding-without-reference',
          'funding-lost',
          'payment-suspended',
          'payment-failed',
          'payment-returned',
          'notice-lost',
        ],
        {
          description:
            'Calls: `down` (its port is closed; without `times`), `slow`, `too-many-requests`, and `lose-answer`, ' +
            'which executes the request. Deals: ' +
            '`quote-expires-early`, `no-rate`, `closed` and the `refuse-…` ones. Money that a bank sends: it arrives ' +
            '`seconds` late, short by `amount`, twice, without its reference, or never. Payouts: suspended, failed, ' +
            'or returned by the receiver’s bank. `notice-lost`: no notification is sent.',
        },
      ),
      times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many times it applies.' })),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_592_000,
          description: 'The delay of the money, or the validity of a quote.',
        }),
      ),
      amount: Type.Optional(amount('The missing amount; a tenth by default.')),
    },
    { title: 'SandboxExchangeFault', description: 'A simulated fault of the FX provider.' },
  ),
  answer: { status: 204, schema: null },
})

export const stepSandboxPayout = operation({
  ...sandboxStep,
  id: 'stepSandboxPayout',
  path: '/api/sandbox/payments/{paymentId}/payout/{step}',
  summary: 'Simulate an event of the payout of a payment',
  description: 'Returns the resulting status at the provider; the payment is updated at the next poll.',
  params: Type.Object({
    paymentId: uuid('The payment, one with exchange.'),
    step: Type.Enum(['send', 'suspend', 'release', 'fail', 'return'], {
      title: 'SandboxPayoutEvent',
      description:
        '`send`: it is executed and reaches the receiver. `suspend` and `release`: the provider holds it, and ' +
        'releases it. `fail`: it cannot be paid. `return`: the receiver’s bank returns it.',
    }),
  }),
  body: Type.Object(
    {
      kept: Type.Optional(amount('The charges that banks deduct from the returned amount; none by default.')),
    },
    { title: 'SandboxPayoutStep', description: 'Details of the event.' },
  ),
  answer: {
    status: 200,
    schema: Type.Object(
      { providerStatus: text('The status at the provider, such as `completed`.') },
      { title: 'SandboxPayout', description: 'The state of a payout.' },
    ),
  },
})

export const addSandboxArrival = operation({
  ...sandboxStep,
  id: 'addSandboxArrival',
  path: '/api/sandbox/exchange/arrivals',
  summary: 'Send funds to the FX provider',
  description: 'As if another bank had sent it: with the reference of a quote, it books the quote.',
  body: Type.Object(
    {
      iban: Type.String({
        pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$',
        form: 'must be an IBAN without spaces',
        description: "The provider's account: that of a quote's or a payment's `intermediaryAccount`.",
      }),
      amount: amount('In the currency of the account.'),
      reference: Type.Optional(nonBlankText(140, 'The message of the payer.')),
      senderName: Type.Optional(nonBlankText(70, 'Who pays.')),
      senderIban: Type.Optional(nonBlankText(34, 'The account of the payer.')),
    },
    { title: 'SandboxArrival', description: 'Inbound funds.' },
  ),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        arrived: Type.Array(
          Type.Object(
            {
              amount: text('The amount.'),
              currency: text('Its currency.'),
              status: text('`completed`, or `pending` until it arrives.'),
            },
            { title: 'SandboxInboundPayment', description: 'An inbound payment at the provider.' },
          ),
          { description: 'The inbound payments: empty if lost, two if duplicated.' },
        ),
      },
      { title: 'SandboxArrived', description: 'The result of sending funds.' },
    ),
  },
})
