/** Composes the jobs of all modules for the worker. */
import { entryCountRetentionSweep } from '../accounts/announce-new-entries.ts'
import { scaSessionSweep } from '../authorisations/jobs.ts'
import type { ScaSubjects } from '../authorisations/sca-session.ts'
import { bankCallRetentionSweep } from '../banks/calls/bank-call-log.ts'
import { consentScaSubject } from '../consents/consent-sca-subject.ts'
import { consentSweeps } from '../consents/jobs.ts'
import type { Context } from '../context.ts'
import { fxSweeps, quoteRetentionSweep } from '../fx/jobs.ts'
import { referenceRateSweep } from '../fx/rates/reference-rate-jobs.ts'
import { onboardingSweeps } from '../onboarding/jobs.ts'
import { onboardingScaSubject } from '../onboarding/signatures/onboarding-sca-subject.ts'
import { failedRowSweep } from '../operators/failed-row-tasks.ts'
import { cancellationScaSubject } from '../orders/cancel/cancellation-sca-subject.ts'
import { cancellationSweep } from '../orders/cancel/recover-cancellation.ts'
import { paymentCountSweep } from '../orders/daily-counts/count-payments.ts'
import { applyDealToPayment } from '../orders/exchange/apply-deal-to-payment.ts'
import { exchangeSweep } from '../orders/exchange/decide-exchange-at-deadline.ts'
import { hasPolledPayments } from '../orders/find-orders.ts'
import { fileSweeps, paymentSweeps, payrollSubmissionSweep, payrollSweep } from '../orders/jobs.ts'
import { approvalScaSubject } from '../orders/sign/approval-sca-subject.ts'
import { basketSweep } from '../orders/sign/jobs.ts'
import { refreshApprovalScaSessions } from '../orders/sign/refresh-approval-sca-sessions.ts'
import { bulkSweep } from '../payrolls/cancel-bulk.ts'
import { idempotencyRetentionSweep } from '../platform/http/idempotency/idempotency-retention.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { requestLogRetentionSweep } from '../request-log/request-log-retention.ts'
import { webhookSweeps } from '../webhooks/jobs.ts'

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
