/** Declares the operations on cancellations: request one, get its status, and abandon its authorisation. */
import { type Static, Type } from 'typebox'
import { abandonOperation } from './abandon-operation.ts'
import { operation } from './operation.ts'
import { PaymentStatus } from './payments/payment-status.ts'
import { RETURN_URL_RULE, Sca, scaOperation } from './sca.ts'
import { PreferredScaMethod, returnUrl, textOrNull, uuid } from './shapes.ts'

export const CancellationRequestStatus = Type.Enum(['ACCEPTED', 'REJECTED', 'AUTHORIZATION_REQUIRED'], {
  title: 'CancellationRequestStatus',
  description:
    'ACCEPTED: the bank accepted the cancellation. REJECTED: the payment is not cancelled; see reason. ' +
    'AUTHORIZATION_REQUIRED: the user must sign the cancellation; then one of the other two follows.',
})
export type CancellationRequestStatus = Static<typeof CancellationRequestStatus>

export const CancellationRequest = Type.Object(
  {
    paymentId: Type.String({ minLength: 1, description: 'The id of the payment to cancel.' }),
    callbackUrl: returnUrl(`Where the user returns to after signing the cancellation. ${RETURN_URL_RULE}`),
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'CancellationRequest', description: 'The payment to cancel.' },
)
export type CancellationRequest = Static<typeof CancellationRequest>

export const Cancellation = Type.Object(
  {
    id: uuid('Identifies the cancellation.'),
    sca: Type.Optional(Sca),
    cancellationRequestStatus: CancellationRequestStatus,
    currentPaymentStatus: PaymentStatus,
    reason: textOrNull('Why the payment is not cancelled, or other information; null if there is none.'),
  },
  {
    title: 'Cancellation',
    description:
      'A cancellation request for a payment. The payment itself becomes Cancelled once the bank confirms it.',
  },
)
export type Cancellation = Static<typeof Cancellation>

const tag = 'Cancellations'
const path = '/api/v2/payments/cancel'

export const cancelPayment = operation({
  ...scaOperation,
  id: 'cancelPayment',
  method: 'POST',
  path,
  tag,
  summary: 'Cancel a payment',
  destructive: 'A cancelled payment cannot be restored.',
  description:
    'Acts for the user of the `consent-id`, who may be another than the creator of the payment, but must be one whom ' +
    'the bank has let pay from the account; otherwise `ACCESS_DENIED`. An approval whose user is not at the bank yet ' +
    'is ended first. Some banks require the user to sign the cancellation: then send the user to `sca.url`. A ' +
    'repeated request while it is open returns the same cancellation.',
  psu: 'optional',
  body: CancellationRequest,
  answer: { status: 200, schema: Cancellation },
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const getPaymentCancellation = operation({
  ...scaOperation,
  id: 'getPaymentCancellation',
  method: 'GET',
  path: `${path}/{id}`,
  tag,
  summary: 'Get a cancellation',
  description: 'With the QR method the response has the current code; poll it every second.',
  psu: 'optional',
  params: Type.Object({ id: uuid('The id of the cancellation.') }),
  answer: { status: 200, schema: Cancellation },
})

export const abandonPaymentCancellation = abandonOperation({
  id: 'abandonPaymentCancellation',
  path: `${path}/{id}`,
  tag,
  summary: 'Abandon a cancellation that is not signed yet',
  description:
    'Ends a cancellation in `AUTHORIZATION_REQUIRED` that the user left unfinished: it becomes `REJECTED`, and ' +
    'the payment is unchanged.',
  params: Type.Object({ id: uuid('The id of the cancellation.') }),
})
