/** Opens the line to the banks: our certificates, connections that show them, and an eye on what comes back. */
import type { Config } from '../config/config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/observability/log.ts'
import type { Metrics } from '../platform/observability/metrics.ts'
import { expiryWatch } from './certificates/certificate-expiry.ts'
import { type BankIdentity, type Certificates, openCertificates } from './certificates/tpp-certificates.ts'
import { oddityWatch } from './certificates/watch-oddities.ts'
import type { ConnectorTools } from './connector/connector-dependencies.ts'
import { readSftpIdentity } from './standards/iso20022/sftp-channel.ts'
import { type BankCallObserver, openBankFetch } from './transport/bank-http-client.ts'
import { watchEchoes } from './transport/check-request-id-echo.ts'
import { watchIdentity } from './watch-identity.ts'

/** The line, as connectors get it, and what banks know us by on it. */
export type BankLine = {
  readonly tools: ConnectorTools
  readonly certificates: Certificates
  /** Has every bank called again that was left alone. */
  forgetFailures(): void
  /** Waits for calls under way. */
  close(): Promise<void>
}

type Surroundings = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly observer: BankCallObserver
}

/** Opens it; throws what is wrong with the certificates. */
export async function openBankLine(config: Config, { clock, log, metrics, observer }: Surroundings): Promise<BankLine> {
  const watches = [expiryWatch(metrics, log, () => clock.real()), oddityWatch(config.baseUrl, log)]
  const watch = (identity: BankIdentity) => {
    for (const one of watches) {
      one(identity)
    }
  }
  const certificates = await openCertificates(config, { clock, log, watch })
  if (config.mode === 'production' && (config.qwac === null || config.qseal === null)) {
    log.warn('there is no QWAC or no QSEAL: banks that demand them will refuse us')
  }
  const callMilliseconds = config.bankAnswerTimeoutSeconds * 1000
  const bankFetch = openBankFetch({
    observer,
    limits: { callMilliseconds, headersMilliseconds: callMilliseconds },
    identity: certificates.current,
  })
  return {
    certificates,
    forgetFailures: bankFetch.forgetFailures,
    tools: {
      fetch: watchIdentity(watchEchoes(bankFetch.fetch, log), { log, metrics }),
      stream: watchIdentity(watchEchoes(bankFetch.stream, log), { log, metrics }),
      now: () => clock.real(),
      qseal: () => certificates.current().qseal,
      sftp: () => readSftpIdentity(config.sftp),
      clientId: () => certificates.current().qwac?.organizationIdentifier ?? null,
      home: config.baseUrl,
    },
    close: async () => {
      certificates.close()
      await bankFetch.close()
    },
  }
}
