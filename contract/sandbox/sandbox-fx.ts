/** Declares the steps of the sandbox's provider of exchange: what goes wrong there, what becomes of payouts, and money from elsewhere. */
import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { filledText, text, uuid } from '../shapes.ts'
import { sandboxStep } from './sandbox-bank.ts'

const AMOUNT = '^[0-9]{1,12}(\\.[0-9]{1,4})?$'

export const disturbSandboxExchange = operation({
  ...sandboxStep,
  id: 'disturbSandboxExchange',
  path: '/api/sandbox/exchange/faults',
  summary: 'Let the provider of exchange fail',
  description: 'Once, unless `times` says otherwise. `DELETE /api/sandbox/faults` ends it.',
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
            'Calls: `down`, `slow`, `too-many-requests`, and `lose-answer`, which does what was asked. Deals: ' +
            '`quote-expires-early`, `no-rate`, `closed` and the `refuse-…` ones. Money that a bank sends: it arrives ' +
            '`seconds` late, short by `amount`, twice, without its reference, or never. Payouts: suspended, failed, ' +
            'or returned by the receiver’s bank. `notice-lost`: nobody is told.',
        },
      ),
      times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'How often it strikes.' })),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_592_000,
          description: 'How late money is, or how long a quote is held.',
        }),
      ),
      amount: Type.Optional(
        Type.String({
          pattern: AMOUNT,
          form: 'must be a decimal with a point, at most four decimals and no sign, for example 1250.00',
          description: 'How much of the money is missing; a tenth if absent.',
        }),
      ),
    },
    { title: 'SandboxExchangeFault', description: 'How the provider of exchange fails.' },
  ),
  answer: { status: 204, schema: null },
})

export const stepSandboxPayout = operation({
  ...sandboxStep,
  id: 'stepSandboxPayout',
  path: '/api/sandbox/payments/{paymentId}/payout/{step}',
  summary: 'Let something happen to the payout of a payment',
  description: "Answers the provider's own word for it afterwards; the payment follows once we have looked.",
  params: Type.Object({
    paymentId: uuid('The payment, one with exchange.'),
    step: Type.Enum(['send', 'suspend', 'release', 'fail', 'return'], {
      description:
        '`send`: its day has come, and it reaches the receiver. `suspend` and `release`: the provider stops it, and ' +
        'lets it go. `fail`: it cannot be paid. `return`: the receiver’s bank sends it back.',
    }),
  }),
  body: Type.Object(
    {
      kept: Type.Optional(
        Type.String({
          pattern: AMOUNT,
          form: 'must be a decimal with a point, at most four decimals and no sign, for example 1250.00',
          description: 'What banks on the way keep of what comes back; nothing if absent.',
        }),
      ),
    },
    { title: 'SandboxPayoutStep', description: 'What goes with the step.' },
  ),
  answer: {
    status: 200,
    schema: Type.Object(
      { providerStatus: text("The provider's word, such as `completed`.") },
      { title: 'SandboxPayout', description: 'How a payout stands.' },
    ),
  },
})

export const addSandboxArrival = operation({
  ...sandboxStep,
  id: 'addSandboxArrival',
  path: '/api/sandbox/exchange/arrivals',
  summary: 'Send money to the provider of exchange',
  description: 'As if it came from a bank outside: with the reference of a quote, it books the quote.',
  body: Type.Object(
    {
      iban: Type.String({
        pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$',
        form: 'must be an IBAN without spaces',
        description: "The provider's account: that of a quote's or a payment's `intermediaryAccount`.",
      }),
      amount: Type.String({
        pattern: AMOUNT,
        form: 'must be a decimal with a point, at most four decimals and no sign, for example 1250.00',
        description: 'In the currency of the account.',
      }),
      reference: Type.Optional(filledText(140, 'What the payer writes.')),
      senderName: Type.Optional(filledText(70, 'Who pays.')),
      senderIban: Type.Optional(filledText(34, 'From which account.')),
    },
    { title: 'SandboxArrival', description: 'Money that arrives.' },
  ),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        arrived: Type.Array(
          Type.Object({
            amount: text('The amount.'),
            currency: text('Its currency.'),
            status: text('`completed`, or `pending` while it is on its way.'),
          }),
          { description: 'What became of it: nothing when it was lost, two when it came twice.' },
        ),
      },
      { title: 'SandboxArrived', description: 'What became of money that was sent.' },
    ),
  },
})
