/** Serves the operations on cancellations of payments. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { validateCallbackUrl } from '../authorisations/callback-url-validation.ts'
import { type Consent, consentActorOf } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { cancelPayment } from './cancel-payment.ts'
import { abandonPaymentCancellation, getPaymentCancellation } from './get-payment-cancellation.ts'

export function serveCancellations(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.cancelPayment, {
    rules: ({ caller, body }, isSound) =>
      isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : [],
    handle: ({ caller, body }) => cancelPayment(context, consentActorOf(caller), body),
  })
  serve(operations.getPaymentCancellation, ({ caller, params }) => getPaymentCancellation(context, caller, params.id))
  serve(operations.abandonPaymentCancellation, ({ caller, params }) =>
    abandonPaymentCancellation(context, caller, params.id),
  )
}
