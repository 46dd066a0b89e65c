/** Puts together what workers do: every room's sweeps. */
import { basketSweep } from './approvals/jobs.ts'
import { lookAtSignings } from './approvals/look-at-signings.ts'
import { cancellationSweep } from './cancellations/jobs.ts'
import { consentSweeps } from './consents/jobs.ts'
import { idempotencySweep } from './foundation/http/idempotency-sweep.ts'
import type { Sweep } from './foundation/sweep.ts'
import { fxSweeps } from './fx/jobs.ts'
import { quoteSweep } from './fx/quote-jobs.ts'
import { referenceRateSweep } from './fx/reference-rate-jobs.ts'
import type { GatewayContext } from './gateway-context.ts'
import { onboardingSweeps } from './onboarding/jobs.ts'
import { paymentSweeps } from './orders/jobs.ts'
import { isFollowedUnder } from './orders/status/has-polled-payments.ts'
import { followDeal } from './payments/exchange/apply-deal-to-payment.ts'
import { exchangeSweep } from './payments/exchange/jobs.ts'
import { bulkSweep } from './payrolls/bulks/bulk-sweep.ts'
import { fileSweeps } from './payrolls/files/file-sweeps.ts'
import { payrollSweep } from './payrolls/jobs.ts'
import { signingSweep } from './signing/jobs.ts'
import { signingKindsOf } from './signing-kinds.ts'
import { webhookSweeps } from './webhooks/jobs.ts'

/** Every sweep that workers run. */
export function composeSweeps(context: GatewayContext): readonly Sweep[] {
  return [
    ...paymentSweeps(context),
    exchangeSweep(context, (payment) => lookAtSignings(context, payment)),
    ...fxSweeps(context, (deal) => followDeal(context, deal)),
    payrollSweep(context),
    bulkSweep(context),
    ...fileSweeps(context),
    signingSweep(context, signingKindsOf(context)),
    cancellationSweep(context),
    basketSweep(context),
    ...onboardingSweeps(context),
    ...consentSweeps(context, isFollowedUnder),
    quoteSweep(context),
    referenceRateSweep(context),
    ...webhookSweeps(context),
    idempotencySweep({ pool: context.database.pool, clock: context.clock }),
  ]
}
