/** Composes the jobs of all modules for the worker. */
import { entryCountRetentionSweep } from '../../gateway/accounts/announce-new-entries.ts'
import { scaSessionSweep } from '../../gateway/authorisations/jobs.ts'
import type { ScaSubjects } from '../../gateway/authorisations/sca-session.ts'
import { bankCallRetentionSweep } from '../../gateway/banks/calls/bank-call-log.ts'
import { consentScaSubject } from '../../gateway/consents/consent-sca-subject.ts'
import { consentSweeps, orderTokenRetentionSweep } from '../../gateway/consents/jobs.ts'
import type { Context } from '../../gateway/context.ts'
import { fxSweeps, quoteRetentionSweep } from '../../gateway/fx/jobs.ts'
import { referenceRateSweep } from '../../gateway/fx/rates/reference-rate-jobs.ts'
import { onboardingSweeps } from '../../gateway/onboarding/jobs.ts'
import { onboardingScaSubject } from '../../gateway/onboarding/signatures/onboarding-sca-subject.ts'
import { failedRowSweep } from '../../gateway/operators/failed-row-tasks.ts'
import { cancellationScaSubject } from '../../gateway/orders/cancel/cancellation-sca-subject.ts'
import { cancellationSweep } from '../../gateway/orders/cancel/recover-cancellation.ts'
import { paymentCountSweep } from '../../gateway/orders/daily-counts/count-payments.ts'
import { applyDealToPayment } from '../../gateway/orders/exchange/apply-deal-to-payment.ts'
import { exchangeSweep } from '../../gateway/orders/exchange/decide-exchange-at-deadline.ts'
import { fileSweeps, paymentSweeps, payrollSubmissionSweep, payrollSweep } from '../../gateway/orders/jobs.ts'
import { approvalScaSubject } from '../../gateway/orders/sign/approval-sca-subject.ts'
import { basketSweep } from '../../gateway/orders/sign/baskets/bank-basket.ts'
import { refreshApprovalScaSessions } from '../../gateway/orders/sign/open-sca-sessions.ts'
import { hasPolledPayments, listOrdersFinalBefore } from '../../gateway/orders/store/polled-payment-store.ts'
import { bulkSweep } from '../../gateway/payrolls/cancel-bulk.ts'
import { idempotencyRetentionSweep } from '../../gateway/platform/http/idempotency/idempotency-retention.ts'
import type { Sweep } from '../../gateway/platform/jobs/sweep.ts'
import { requestLogRetentionSweep } from '../../gateway/request-log/request-log-retention.ts'
import { webhookSweeps } from '../../gateway/webhooks/jobs.ts'

/** Every job that workers run. */
export function composeSweeps(context: Context): readonly Sweep[] {
  return [
    ...paymentSweeps(context),
    exchangeSweep(context, (payment) => refreshApprovalScaSessions(context, payment)),
    ...fxSweeps(context, (deal) => applyDealToPayment(context, deal)),
    payrollSubmissionSweep(context),
    payrollSweep(context),
    bulkSweep(context),
    ...fileSweeps(context),
    scaSessionSweep(context, scaSubjectsOf(context)),
    cancellationSweep(context),
    basketSweep(context),
    ...onboardingSweeps(context),
    ...consentSweeps(context, hasPolledPayments),
    orderTokenRetentionSweep(context, listOrdersFinalBefore),
    entryCountRetentionSweep(context),
    quoteRetentionSweep(context),
    referenceRateSweep(context),
    ...webhookSweeps(context),
    paymentCountSweep(context),
    requestLogRetentionSweep(context),
    bankCallRetentionSweep(context),
    failedRowSweep(context),
    idempotencyRetentionSweep(context),
  ]
}

/** The owner of each kind of SCA session. */
export function scaSubjectsOf(context: Context): ScaSubjects {
  return {
    consent: consentScaSubject,
    approval: approvalScaSubject,
    cancellation: cancellationScaSubject,
    onboarding: onboardingScaSubject(context),
  }
}
