/** Opens the transport to banks: our certificates, HTTP connections with them, and checks of the banks' answers. */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { monitorCertificates } from '../certificates/certificate-warnings.ts'
import { openTppCertificates, type TppCertificates, type TppIdentity } from '../certificates/tpp-certificates.ts'
import type { Bank } from '../connector/bank.ts'
import { BankCallNotMade } from '../connector/bank-error.ts'
import type { ConnectorDependencies, SftpIdentity } from '../connector/connector-dependencies.ts'
import { type BankCallObserver, openBankHttpClient } from './bank-http-client.ts'
import { checkAnswers, createDeviationObserver } from './deviation-observer.ts'

/** The dependencies of connectors, and our certificates. */
export type BankTransport = {
  readonly tools: ConnectorDependencies
  readonly certificates: TppCertificates
  /** Closes all circuit breakers. */
  resetFailures(): void
  /** Waits for calls in flight. */
  close(): Promise<void>
}

type Dependencies = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly observer: BankCallObserver
}

/** Opens the transport. Throws when a certificate is invalid. */
export async function openBankTransport(
  config: Config,
  { clock, log, metrics, observer }: Dependencies,
): Promise<BankTransport> {
  const watch = monitorCertificates(metrics, log, {
    now: clock.real,
    warningDays: config.certificateWarningDays,
    baseUrl: config.baseUrl,
  })
  const certificates = await openTppCertificates(config, { clock, log, watch })
  if (config.mode === 'production' && (config.qwac === null || config.qseal === null)) {
    log.warn('QWAC or QSEAL is not configured: banks that require them will reject requests')
  }
  const identityOf = identityByBank(certificates, log)
  const callMilliseconds = config.bankAnswerTimeoutSeconds * 1000
  const bankFetch = openBankHttpClient({
    observer,
    limits: { callMilliseconds, headersMilliseconds: callMilliseconds },
    identity: identityOf,
  })
  return {
    certificates,
    resetFailures: bankFetch.resetFailures,
    tools: {
      fetch: checkAnswers(bankFetch.fetch, { log, metrics }),
      stream: checkAnswers(bankFetch.stream, { log, metrics }),
      observeDeviations: createDeviationObserver({ log, metrics, now: clock.real }),
      wait: delay,
      now: clock.real,
      identity: identityOf,
      sftp: () => readSftpIdentity(config.sftp),
      home: config.baseUrl,
      tppIpAddress: config.tppIpAddress,
    },
    close: async () => {
      certificates.close()
      await bankFetch.close()
    },
  }
}

/** The pair that is chosen for a bank. Throws `BankCallNotMade` when it is not configured, which is logged once per bank. */
function identityByBank(certificates: TppCertificates, log: Pick<Log, 'error'>): (bank: Bank) => TppIdentity {
  const logged = new Set<string>()
  return ({ bic, certificate }) => {
    const identity = certificates.byName.get(certificate)
    const key = `${bic} ${certificate}`
    if (identity === undefined) {
      if (!logged.has(key)) {
        logged.add(key)
        log.error({ bank: bic, certificate }, 'the certificate of a bank is not configured: it is not called')
      }
      throw new BankCallNotMade(`There is no certificate ${certificate}, which is chosen for this bank`)
    }
    logged.delete(key)
    return identity
  }
}

/** Reads both files each time: they may be replaced while the program runs. */
async function readSftpIdentity(
  files: { readonly keyFile: string; readonly knownHostsFile: string } | null,
): Promise<SftpIdentity | null> {
  if (files === null) {
    return null
  }
  const [privateKey, knownHosts] = await Promise.all([
    readFile(files.keyFile, 'utf8'),
    readFile(files.knownHostsFile, 'utf8'),
  ])
  return { privateKey, knownHosts }
}
