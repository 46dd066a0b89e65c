/** Metrics of banks, apart from calls to them. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** Bank status, our certificates, banks' answers and files. */
export function bankMetrics(registers: Registry[]) {
  return {
    bankStatus: new Gauge({
      name: 'havn_bank_status',
      help: 'The status of each enabled bank: 1 for the current one (Operational, Degraded, Down, Paused).',
      labelNames: ['bank', 'status'],
      registers,
    }),
    certificateWarning: new Gauge({
      name: 'havn_certificate_warning_timestamp_seconds',
      help: 'When operators are first warned of the expiry of our certificates at banks, in seconds since 1970.',
      labelNames: ['certificate'],
      registers,
    }),
    certificateExpiry: new Gauge({
      name: 'havn_certificate_expiry_timestamp_seconds',
      help: 'Expiry of our certificates at banks, in seconds since 1970: QWAC for connections, QSEAL for messages.',
      labelNames: ['certificate'],
      registers,
    }),
    identityRejections: new Counter({
      name: 'havn_bank_identity_rejections_total',
      help: 'Calls that a bank rejected because of our certificate, signature or role, by error code.',
      labelNames: ['bank', 'code'],
      registers,
    }),
    bankTlsFailures: new Counter({
      name: 'havn_bank_tls_failures_total',
      help: 'Calls to a bank that failed because no TLS connection could be made, by reason.',
      labelNames: ['bank', 'reason'],
      registers,
    }),
    bankAnswerDeviations: new Counter({
      name: 'havn_bank_answer_deviations_total',
      help: 'How answers of a bank differ from its standard, by operation and effect: ignored, dropped, unreadable, unknown-status.',
      labelNames: ['bank', 'operation', 'effect'],
      registers,
    }),
    consentsWithoutAccounts: new Counter({
      name: 'havn_bank_consents_without_accounts_total',
      help: 'Consents that users accepted at a bank, which reports another owner for each of their accounts.',
      labelNames: ['bank'],
      registers,
    }),
    unreadableFiles: new Counter({
      name: 'havn_bank_files_unreadable_total',
      help: 'Files of a bank that cannot be parsed, each counted once.',
      labelNames: ['bank'],
      registers,
    }),
  }
}
