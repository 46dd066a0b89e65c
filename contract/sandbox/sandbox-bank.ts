/** Declares the steps of the sandbox: what users and banks do, without a browser and without waiting for either. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { bicOf, filledText, PaymentStatus, TEXT_CHARACTERS_MAX, text, uuid } from '../shapes.ts'

const Decision = Type.Enum(['sign', 'reject', 'leave'], {
  title: 'SandboxDecision',
  description: 'What the user does at the bank: sign, refuse, or leave without either.',
})
export type SandboxDecision = Static<typeof Decision>

export const SandboxUser = Type.Object(
  {
    userId: Type.Optional(
      filledText(TEXT_CHARACTERS_MAX.userId, "The user's id at the bank; whoever the bank would take first if absent."),
    ),
  },
  { title: 'SandboxUser', description: 'Who acts.' },
)
export type SandboxUser = Static<typeof SandboxUser>

export const SandboxWay = Type.Object(
  {
    outcome: Type.Union([Type.Enum(['success', 'rejected', 'cancelled']), Type.Null()], {
      description: 'What the user returned with; null while the bank has not decided.',
    }),
    callback: Type.Union([text("The address at which the user's browser arrived."), Type.Null()], {
      description: 'The callbackUrl with its `status`, which is not opened; null while the user is under way.',
    }),
  },
  { title: 'SandboxWay', description: "How a user's way through the bank ended." },
)
export type SandboxWay = Static<typeof SandboxWay>

/** What all steps of the sandbox have in common. */
export const sandboxStep = {
  server: 'base',
  tag: 'Sandbox',
  method: 'POST',
  admits: 'partner',
  psu: 'none',
  failures: [],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
  sandboxOnly: true,
} as const

export const decideSandboxApproval = operation({
  ...sandboxStep,
  id: 'decideSandboxApproval',
  path: '/api/sandbox/approvals/{approvalId}/{decision}',
  summary: 'Be the user of an approval',
  description:
    "Goes the user's whole way: the link, the bank, and back, for each signature that is left. Works for redirects, " +
    'apps and codes alike. Repeat it with another `userId` where an account needs two.',
  params: Type.Object({ approvalId: uuid('The approval.'), decision: Decision }),
  body: SandboxUser,
  answer: { status: 200, schema: SandboxWay },
})

export const decideSandboxConsent = operation({
  ...sandboxStep,
  id: 'decideSandboxConsent',
  path: '/api/sandbox/consents/{consentId}/{decision}',
  summary: 'Be the user of a consent',
  description: "Goes the user's whole way: the link, the bank, and back.",
  params: Type.Object({ consentId: uuid('The consent.'), decision: Decision }),
  body: SandboxUser,
  answer: { status: 200, schema: SandboxWay },
})

export const decideSandboxCancellation = operation({
  ...sandboxStep,
  id: 'decideSandboxCancellation',
  path: '/api/sandbox/cancellations/{cancellationId}/{decision}',
  summary: 'Be the user of a cancellation',
  description: "Goes the user's whole way: the link, the bank, and back.",
  params: Type.Object({ cancellationId: uuid('The cancellation.'), decision: Decision }),
  body: SandboxUser,
  answer: { status: 200, schema: SandboxWay },
})

export const endSandboxConsent = operation({
  ...sandboxStep,
  id: 'endSandboxConsent',
  path: '/api/sandbox/consents/{consentId}/end',
  summary: 'End a consent at its bank',
  description: 'As its user or its bank might, without a word to us: it shows at the next use.',
  params: Type.Object({ consentId: uuid('The consent.') }),
  body: Type.Object(
    {
      how: Type.Enum(['expired', 'revoked-by-user', 'revoked-by-bank'], {
        description: 'Its time passed, its user ended it in the netbank, or the bank did.',
      }),
    },
    { title: 'SandboxConsentEnd', description: 'How a consent ends.' },
  ),
  answer: { status: 204, schema: null },
})

export const SandboxPaymentStep = Type.Enum(['sign', 'cancel', 'take-back', 'release', 'settle'], {
  title: 'SandboxPaymentStep',
  description:
    'In the netbank, behind our back: `sign` and `cancel`. `take-back`: the second signer sends it back. `release`: ' +
    'the text message is answered that it waits for. `settle`: the bank books it now.',
})
export type SandboxPaymentStep = Static<typeof SandboxPaymentStep>

export const stepSandboxPayment = operation({
  ...sandboxStep,
  id: 'stepSandboxPayment',
  path: '/api/sandbox/payments/{paymentId}/{step}',
  summary: 'Let something happen to a payment at its bank',
  description: 'Answers the status as the bank tells it afterwards.',
  params: Type.Object({ paymentId: uuid('The payment.'), step: SandboxPaymentStep }),
  body: SandboxUser,
  answer: { status: 200, schema: PaymentStatus },
})

export const setSandboxPaymentStatus = operation({
  ...sandboxStep,
  id: 'setSandboxPaymentStatus',
  path: '/api/sandbox/payments/{paymentId}/status',
  summary: "Set a payment's status at its bank",
  description: 'It stays so until something else is said. Answers the status as we then understand it.',
  params: Type.Object({ paymentId: uuid('The payment.') }),
  body: Type.Object(
    {
      transactionStatus: Type.Enum(
        [
          'RCVD',
          'PDNG',
          'PATC',
          'ACTC',
          'ACCP',
          'ACFC',
          'ACWC',
          'ACWP',
          'ACSP',
          'ACSC',
          'ACCC',
          'PART',
          'RJCT',
          'CANC',
        ],
        {
          description: "The bank's word, such as ACSP or RJCT.",
        },
      ),
    },
    { title: 'SandboxPaymentStatus', description: 'What the bank is to say of a payment.' },
  ),
  answer: { status: 200, schema: PaymentStatus },
})

export const addSandboxEntry = operation({
  ...sandboxStep,
  id: 'addSandboxEntry',
  path: '/api/sandbox/accounts/{bban}/entries',
  summary: 'Book something on an account',
  description: 'As if it came from elsewhere. Payments that waited for money go on at once.',
  params: Type.Object({
    bban: Type.String({
      pattern: '^[0-9A-Za-z]{1,34}$',
      form: 'must be 1 to 34 letters and digits',
      description: 'The account, at its bank.',
    }),
  }),
  body: Type.Object(
    {
      amount: Type.String({
        pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,4})?$',
        form: 'must be a decimal with a point, for example -1250.00',
        description: 'Negative when money leaves.',
      }),
      counterparty: filledText(70, 'Who pays, or is paid.'),
      message: Type.Optional(filledText(140, 'A message.')),
      reference: Type.Optional(filledText(35, 'A structured reference.')),
    },
    { title: 'SandboxEntry', description: 'What is booked.' },
  ),
  answer: {
    status: 200,
    schema: Type.Object(
      { bban: text('The account.'), bookedOn: text('The day on which it is booked.') },
      { title: 'SandboxEntryBooked', description: 'An entry that was booked.' },
    ),
  },
})

export const disturbSandboxBank = operation({
  ...sandboxStep,
  id: 'disturbSandboxBank',
  path: '/api/sandbox/banks/{bic}/faults',
  summary: 'Let a bank fail',
  description: 'Lasts until `DELETE /api/sandbox/faults`; `lose-next-answer` strikes once.',
  params: Type.Object({ bic: bicOf('The bank.') }),
  body: Type.Object(
    {
      effect: Type.Enum(['down', 'slow', 'lose-next-answer'], {
        description:
          '`down`: it cannot be reached. `slow`: every answer is late. `lose-next-answer`: it takes the next order, ' +
          'and its answer is lost on the way.',
      }),
      milliseconds: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 60_000, description: 'How late a slow bank answers; 3000 if absent.' }),
      ),
    },
    { title: 'SandboxFault', description: 'How a bank fails.' },
  ),
  answer: { status: 204, schema: null },
})

export const healSandboxBanks = operation({
  ...sandboxStep,
  id: 'healSandboxBanks',
  method: 'DELETE',
  path: '/api/sandbox/faults',
  summary: 'Let all banks, and the provider of exchange, work again',
  validation: [],
  idempotent: false,
  answer: { status: 204, schema: null },
})
