/** Declares the sandbox operations that simulate users and banks without a browser. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { PaymentStatus } from '../payments/payment-status.ts'
import { nonBlankText, orNull, TEXT_CHARACTERS_MAX, text, uuid } from '../shapes.ts'

const Decision = Type.Enum(['sign', 'reject', 'leave'], {
  title: 'SandboxDecision',
  description: 'What the user does at the bank: sign, reject, or leave without deciding.',
})
export type SandboxDecision = Static<typeof Decision>

export const SandboxUser = Type.Object(
  {
    userId: Type.Optional(
      nonBlankText(TEXT_CHARACTERS_MAX.userId, "The user's id at the bank; by default the first user that may sign."),
    ),
  },
  { title: 'SandboxUser', description: 'Who acts.' },
)
export type SandboxUser = Static<typeof SandboxUser>

const SandboxScaOutcome = Type.Enum(['success', 'rejected', 'cancelled'], {
  title: 'SandboxScaOutcome',
  description: 'The status with which the user returns to the callbackUrl.',
})

export const SandboxScaResult = Type.Object(
  {
    outcome: orNull(SandboxScaOutcome, 'The status with which the user returned; null while the bank has not decided.'),
    callback: orNull(
      text("The URL to which the user's browser was redirected."),
      'The callbackUrl with its `status`; it is not requested. Null until the user has returned.',
    ),
  },
  { title: 'SandboxScaResult', description: 'The outcome of the simulated SCA.' },
)
export type SandboxScaResult = Static<typeof SandboxScaResult>

/** The properties that all sandbox operations share. */
export const sandboxStep = {
  tag: 'Sandbox',
  method: 'POST',
  admits: 'partner',
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
  sandboxOnly: true,
} as const

const deciding = {
  ...sandboxStep,
  description: 'Follows the link to the bank and back.',
  body: SandboxUser,
  answer: { status: 200, schema: SandboxScaResult },
} as const

export const decideSandboxApproval = operation({
  ...deciding,
  id: 'decideSandboxApproval',
  path: '/api/sandbox/approvals/{approvalId}/{decision}',
  summary: "Simulate the user's decision on an approval",
  description:
    'Follows the link to the bank and back, for each signature that is missing. Works for redirects, ' +
    'apps and codes alike. Repeat it with another `userId` where an account needs two.',
  params: Type.Object({ approvalId: uuid('The approval.'), decision: Decision }),
})

export const decideSandboxConsent = operation({
  ...deciding,
  id: 'decideSandboxConsent',
  path: '/api/sandbox/consents/{consentId}/{decision}',
  summary: "Simulate the user's decision on a consent",
  params: Type.Object({ consentId: uuid('The consent.'), decision: Decision }),
})

export const decideSandboxCancellation = operation({
  ...deciding,
  id: 'decideSandboxCancellation',
  path: '/api/sandbox/cancellations/{cancellationId}/{decision}',
  summary: "Simulate the user's decision on a cancellation",
  params: Type.Object({ cancellationId: uuid('The cancellation.'), decision: Decision }),
})

export const endSandboxConsent = operation({
  ...sandboxStep,
  id: 'endSandboxConsent',
  path: '/api/sandbox/consents/{consentId}/end',
  summary: 'End a consent at its bank',
  destructive: 'The consent ends for good. Its user must sign a new one.',
  description: 'As its user or its bank might, without a notification: it is detected at the next use.',
  params: Type.Object({ consentId: uuid('The consent.') }),
  body: Type.Object(
    {
      how: Type.Enum(['expired', 'revoked-by-user', 'revoked-by-bank'], {
        description: 'It expired, its user revoked it in the netbank, or the bank did.',
      }),
    },
    { title: 'SandboxConsentEnd', description: 'How a consent ends.' },
  ),
  answer: { status: 204, schema: null },
})

export const SandboxPaymentStep = Type.Enum(['sign', 'cancel', 'take-back', 'release', 'settle'], {
  title: 'SandboxPaymentStep',
  description:
    'In the netbank: `sign` and `cancel`. `take-back`: the second signer rejects it. `release`: ' +
    'the required SMS confirmation is given. `settle`: the bank books it now.',
})
export type SandboxPaymentStep = Static<typeof SandboxPaymentStep>

export const stepSandboxPayment = operation({
  ...sandboxStep,
  id: 'stepSandboxPayment',
  path: '/api/sandbox/payments/{paymentId}/{step}',
  summary: 'Simulate a bank event of a payment',
  description: 'Returns the resulting status at the bank.',
  params: Type.Object({ paymentId: uuid('The payment.'), step: SandboxPaymentStep }),
  body: SandboxUser,
  answer: { status: 200, schema: PaymentStatus },
})

/** The reasons that the sandbox bank knows. */
export const SANDBOX_REJECTION_REASONS = [
  'daily-limit',
  'account-closed',
  'insufficient-funds',
  'returned',
  'cancelled-by-bank',
] as const
export type SandboxRejectionReason = (typeof SANDBOX_REJECTION_REASONS)[number]

export const setSandboxPaymentStatus = operation({
  ...sandboxStep,
  id: 'setSandboxPaymentStatus',
  path: '/api/sandbox/payments/{paymentId}/status',
  summary: "Set a payment's status at its bank",
  destructive: 'A payment that is rejected or cancelled in this way stays so.',
  description: 'It stays until it is set again. Returns the resulting status of the payment.',
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
          description: "The bank's status code, such as ACSP or RJCT.",
        },
      ),
      reason: Type.Optional(
        Type.Enum(SANDBOX_REJECTION_REASONS, {
          description:
            'Why the bank rejects or cancels it, which it then reports: `cancelled-by-bank` with `CANC`, the others ' +
            'with `RJCT`. A payment that is booked is returned.',
        }),
      ),
    },
    { title: 'SandboxPaymentStatus', description: 'The status that the bank reports for a payment.' },
  ),
  answer: { status: 200, schema: PaymentStatus },
})

export const addSandboxEntry = operation({
  ...sandboxStep,
  id: 'addSandboxEntry',
  path: '/api/sandbox/accounts/{bban}/entries',
  summary: 'Book an entry on an account',
  description: 'As if another bank had sent it. Payments that waited for funds continue at once.',
  params: Type.Object({
    bban: Type.String({
      pattern: '^[0-9A-Za-z]{1,34}$',
      form: 'must be 1 to 34 letters and digits',
      description: 'The account.',
    }),
  }),
  body: Type.Object(
    {
      amount: Type.String({
        pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,4})?$',
        form: 'must be a decimal with a point, for example -1250.00',
        description: 'Negative for a debit.',
      }),
      counterparty: nonBlankText(70, 'The other party.'),
      message: Type.Optional(nonBlankText(140, 'A message.')),
      reference: Type.Optional(nonBlankText(35, 'A structured reference.')),
    },
    { title: 'SandboxEntry', description: 'The entry to book.' },
  ),
  answer: {
    status: 200,
    schema: Type.Object(
      { bban: text('The account.'), bookedOn: text('The booking date.') },
      { title: 'SandboxEntryBooked', description: 'An entry that was booked.' },
    ),
  },
})
