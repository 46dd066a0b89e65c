/** Describes the webhook events: their types and their body. */
import { type Static, Type } from 'typebox'
import { PaymentStatusReason, PaymentStatusValue } from '../payments/payment-status.ts'
import { instant, text, uuid } from '../shapes.ts'

/** The event type of each status. */
export const paymentEventTypes = {
  Unsigned: 'PAYMENT_STATUS_UNSIGNED',
  InProgress: 'PAYMENT_STATUS_IN_PROGRESS',
  Rejected: 'PAYMENT_STATUS_REJECTED',
  Completed: 'PAYMENT_STATUS_COMPLETED',
  Cancelled: 'PAYMENT_STATUS_CANCELLED',
  CustomerActionRequired: 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED',
} as const satisfies Record<PaymentStatusValue, string>
export type PaymentEventType = (typeof paymentEventTypes)[PaymentStatusValue]

/** The version of event bodies. */
export const EVENT_VERSION = '1'

const orNull = <Schema extends typeof PaymentStatusReason | ReturnType<typeof text>>(
  schema: Schema,
  description: string,
) => Type.Union([schema, Type.Null()], { description })

export const PaymentStatusEvent = Type.Object(
  {
    id: uuid('Identifies the event; the same in every delivery of it.'),
    type: Type.Enum(Object.values(paymentEventTypes), { description: 'The status that the payment has changed to.' }),
    version: Type.Literal(EVENT_VERSION, { description: 'The version of this shape.' }),
    occurredAt: instant('When it happened; later than every earlier event of the payment.'),
    data: Type.Object(
      {
        paymentId: uuid('The payment.'),
        previousStatus: PaymentStatusValue,
        status: PaymentStatusValue,
        statusReason: orNull(PaymentStatusReason, 'The reason; null if there is none.'),
        statusReasonText: orNull(
          text("The bank's own text."),
          "The bank's own text; for operators, not for end users.",
        ),
      },
      { title: 'PaymentStatusChange', description: 'What changed.' },
    ),
  },
  { title: 'PaymentStatusEvent', description: "A change of a payment's status." },
)
export type PaymentStatusEvent = Static<typeof PaymentStatusEvent>

/** The type of the event that a test delivers. */
export const TEST_EVENT = 'webhook.test'

export const TestEvent = Type.Object(
  {
    id: uuid('Identifies the event.'),
    type: Type.Literal(TEST_EVENT, { description: 'A test.' }),
    createdAt: instant('When the test was requested.'),
  },
  { title: 'TestEvent', description: 'What a test of a subscription delivers.' },
)
export type TestEvent = Static<typeof TestEvent>
