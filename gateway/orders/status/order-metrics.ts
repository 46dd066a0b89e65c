/** The metrics of open payments and payrolls. */
import type { Registry } from 'prom-client'
import { metricFactory } from '../../platform/observability/metrics.ts'

/** Adds them to the registry of a process. */
export function orderMetrics(registry: Registry) {
  const { gauge } = metricFactory(registry)
  return {
    openPayments: gauge(
      'havn_payments_open',
      'Payments without a final status, by status and by the time since their last change; counted once a minute.',
      ['status', 'age'],
    ),
    openPayrolls: gauge(
      'havn_payrolls_open',
      'Payrolls that are only partly submitted: being submitted, or failing while submitted orders are cancelled.',
      ['state'],
    ),
    unclaimedPayroll: gauge(
      'havn_payroll_submission_idle_seconds',
      'Time since the oldest payroll was ordered that is to be submitted but has no process working on it, in seconds.',
    ),
    paymentPollLag: gauge(
      'havn_payment_poll_lag_seconds',
      'Time since the oldest overdue status poll of a payment was due, in seconds.',
    ),
  }
}
