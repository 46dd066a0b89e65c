/** Holds the status of a payment, which payments, payrolls and webhooks share. */
import { type Static, Type } from 'typebox'
import { instant, text } from '../shapes.ts'

export const PaymentStatusValue = Type.Enum(
  ['Unsigned', 'InProgress', 'Completed', 'Rejected', 'Cancelled', 'CustomerActionRequired'],
  {
    title: 'PaymentStatusValue',
    description:
      'Unsigned: the user must approve. InProgress: the bank processes it. Completed: the bank has completed it. ' +
      'Rejected: the bank has rejected it. Cancelled: it was cancelled. CustomerActionRequired: see the reason.',
  },
)
export type PaymentStatusValue = Static<typeof PaymentStatusValue>

export const PaymentStatusReason = Type.Enum(['PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds'], {
  title: 'PaymentStatusReason',
  description:
    'PartlySigned: another signature is needed. SmsConfirmationRequired: the user must confirm by SMS. ' +
    'InsufficientFunds: the account does not cover it.',
})
export type PaymentStatusReason = Static<typeof PaymentStatusReason>

export const PaymentStatus = Type.Object(
  {
    status: PaymentStatusValue,
    statusReason: Type.Optional(PaymentStatusReason),
    statusReasonText: Type.Optional(text("The bank's own text where it maps to no reason; not for end users.")),
    timestamp: instant('When the status was last read at the bank.'),
  },
  { title: 'PaymentStatus', description: "A payment's status as reported by the bank." },
)
export type PaymentStatus = Static<typeof PaymentStatus>

export const PaymentStatusResponse = Type.Object(
  {
    ...PaymentStatus.properties,
    outcomeUnknown: Type.Optional(
      Type.Boolean({
        description:
          'True if the outcome of the order is unknown: the bank may or may not have the payment; else absent.',
      }),
    ),
  },
  {
    title: 'PaymentStatusResponse',
    description: "A payment's status, and whether the outcome at the bank is unknown.",
  },
)
export type PaymentStatusResponse = Static<typeof PaymentStatusResponse>
