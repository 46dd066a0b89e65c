/** Serves the operations on cancellations, those of payrolls among them. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { checkCallbackUrl } from '../authorisations/callback-url-validation.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { servePayrollCancellations } from '../payrolls/cancellations/routes.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { abandonCancellation } from './abandon-cancellation.ts'
import { cancelPayment } from './cancel-payment.ts'
import { showCancellation } from './show-cancellation.ts'

export function serveCancellations(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.cancelPayment, {
    rules: ({ caller, body }, isSound) =>
      isSound('.callbackUrl') ? checkCallbackUrl(context.config, caller, body.callbackUrl) : [],
    handle: ({ caller, body }) => cancelPayment(context, caller, body),
  })
  servePayrollCancellations(serve, context)
  serve(operations.getPaymentCancellation, ({ caller, params }) => showCancellation(context, caller, params.id))
  serve(operations.abandonPaymentCancellation, ({ caller, params }) => abandonCancellation(context, caller, params.id))
}
