/** The metrics of open payments and payrolls. */
import { Gauge, type Registry } from 'prom-client'

/** Adds them to the registry of a process. */
export function orderMetrics(registry: Registry) {
  const registers = [registry]
  return {
    openPayments: new Gauge({
      name: 'havn_payments_open',
      help: 'Payments without a final status, by status and by the time since their last change; counted once a minute.',
      labelNames: ['status', 'age'],
      registers,
    }),
    openPayrolls: new Gauge({
      name: 'havn_payrolls_open',
      help: 'Payrolls that are only partly submitted: being submitted, or failing while submitted orders are cancelled.',
      labelNames: ['state'],
      registers,
    }),
    unclaimedPayroll: new Gauge({
      name: 'havn_payroll_submission_idle_seconds',
      help: 'Time since the oldest payroll was ordered that is to be submitted but has no process working on it, in seconds.',
      registers,
    }),
    paymentPollLag: new Gauge({
      name: 'havn_payment_poll_lag_seconds',
      help: 'Time since the oldest overdue status poll of a payment was due, in seconds.',
      registers,
    }),
  }
}
