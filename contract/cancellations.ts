/** Declares the operations on cancellations: ask for one, follow it, and abandon its signing. */
import { type Static, Type } from 'typebox'
import { abandonOperation } from './abandon-operation.ts'
import { operation } from './operation.ts'
import { RETURN_URL_RULE, Sca } from './sca.ts'
import { PaymentStatus, PreferredScaMethod, returnUrl, uuid } from './shapes.ts'

export const CancellationRequestStatus = Type.Enum(['ACCEPTED', 'REJECTED', 'AUTHORIZATION_REQUIRED'], {
  title: 'CancellationRequestStatus',
  description:
    'ACCEPTED: the bank took the cancellation. REJECTED: the payment is not cancelled; reason says why. ' +
    'AUTHORIZATION_REQUIRED: the user has to sign the cancellation; it ends in one of the other two.',
})
export type CancellationRequestStatus = Static<typeof CancellationRequestStatus>

export const CancellationAsked = Type.Object(
  {
    paymentId: Type.String({ minLength: 1, description: 'The id of the payment to cancel.' }),
    callbackUrl: returnUrl(`Where the user returns to after signing the cancellation. ${RETURN_URL_RULE}`),
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'CancellationAsked', description: 'Which payment is to be cancelled.' },
)
export type CancellationAsked = Static<typeof CancellationAsked>

export const Cancellation = Type.Object(
  {
    id: uuid('Identifies the attempt to cancel.'),
    sca: Type.Optional(Sca),
    cancellationRequestStatus: CancellationRequestStatus,
    currentPaymentStatus: PaymentStatus,
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the payment is not cancelled, or what else there is to say; null where there is nothing.',
    }),
  },
  {
    title: 'Cancellation',
    description:
      'An attempt to cancel a payment. Its status is not that of the payment, which is Cancelled once the bank says so.',
  },
)
export type Cancellation = Static<typeof Cancellation>

const tag = 'Cancellations'
const path = '/api/v2/payments/cancel'

export const cancelPayment = operation({
  id: 'cancelPayment',
  method: 'POST',
  path,
  server: 'base',
  tag,
  summary: 'Cancel a payment',
  description:
    'Acts for the user of the `consent-id`, who need not have created the payment. An approval whose user has not left ' +
    'for the bank yet is ended first. Some banks have the user sign the cancellation: send the user to `sca.url` then. ' +
    'Asked again while that is open, the same cancellation is answered.',
  admits: 'consent',
  psu: 'optional',
  body: CancellationAsked,
  answer: { status: 200, schema: Cancellation },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
  sandboxOnly: false,
})

export const getPaymentCancellation = operation({
  id: 'getPaymentCancellation',
  method: 'GET',
  path: `${path}/{id}`,
  server: 'base',
  tag,
  summary: 'Read a cancellation',
  description: 'With the QR method it carries a fresh code and is to be fetched every second.',
  admits: 'consent',
  psu: 'optional',
  params: Type.Object({ id: uuid('The id that the cancellation was answered with.') }),
  answer: { status: 200, schema: Cancellation },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

export const abandonPaymentCancellation = abandonOperation({
  id: 'abandonPaymentCancellation',
  path: `${path}/{id}`,
  tag,
  summary: 'Abandon a cancellation that waits for its signature',
  description:
    'Ends a cancellation that is `AUTHORIZATION_REQUIRED` and whose user does not come back: it is `REJECTED` then, and ' +
    'the payment stays as it is.',
  params: Type.Object({ id: uuid('The id that the cancellation was answered with.') }),
})
