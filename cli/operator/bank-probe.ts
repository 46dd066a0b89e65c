/** `havn bank probe`: sends harmless requests to a bank and suggests settings for its profile. */
import type { TppCertificates } from '../../gateway/banks/certificates/tpp-certificates.ts'
import { BankError } from '../../gateway/banks/connector/bank-error.ts'
import {
  hasLearned,
  isChange,
  type ProbeReport,
  type ProbeStop,
  type RemainingResource,
} from '../../gateway/banks/connector/probe-report.ts'
import { printableLine } from '../printable-text.ts'
import { onStopSignals } from '../stop-signals.ts'
import { withGatewayContext } from './operator-context.ts'
import { tableOf } from './print-table.ts'

export type ProbeOptions = {
  readonly userId?: string
  readonly organisationNumber?: string
  readonly certificate?: string
  readonly calls?: boolean
}

const INTERRUPTED = 'interrupted'

/** Prints the report, also of a probe that ended early. Throws when it did, or learned nothing. */
export async function printProbe(bic: string, typed: ProbeOptions, environment: NodeJS.ProcessEnv): Promise<void> {
  const { userId = null, organisationNumber = null, calls = false, certificate } = typed
  await withGatewayContext(environment, async ({ banks, certificates }) => {
    requireCertificate(certificates, certificate)
    const { stop, close } = stopOnSignals()
    const report = await banks.probe(bic, { userId, organisationNumber, certificate, stop }).finally(close)
    printFindings(report)
    if (calls) {
      const rows = report.calls.map(({ call, answer }) => ({ request: call, response: answer }))
      console.log(`\n${tableOf({ rows, whenEmpty: 'The bank was not called.' })}`)
    }
    printRemaining(report.remaining)
    const failure = failureOf(bic, report)
    if (failure !== undefined) {
      throw new Error(failure, { cause: report.endedBy })
    }
  })
}

function requireCertificate(certificates: TppCertificates, name: string | undefined): void {
  if (name !== undefined && certificates.byName.get(name) === undefined) {
    const names = [...certificates.byName.keys()].flatMap((key) => key ?? [])
    throw new Error(`There are no certificates ${name}: HAVN_CERTIFICATES_DIR has ${names.join(', ') || 'none'}`)
  }
}

/** The first signal ends the probing, the second one the deletion of what was created. */
function stopOnSignals(): { readonly stop: ProbeStop; readonly close: () => void } {
  const [probing, deletion] = [new AbortController(), new AbortController()]
  const interrupt = () => {
    probing.abort(new Error(INTERRUPTED))
    console.error('Interrupted: deleting what the probe has created. Press Ctrl-C again to stop at once.')
  }
  const close = onStopSignals(['SIGINT', 'SIGTERM'], interrupt, () => deletion.abort(new Error(INTERRUPTED)))
  return { stop: { probing: probing.signal, deletion: deletion.signal }, close }
}

function failureOf(bic: string, report: ProbeReport): string | undefined {
  const { endedBy } = report
  if (endedBy === null) {
    return hasLearned(report)
      ? undefined
      : `The probe learned nothing: no answer of ${bic} shows a setting. See the requests with --calls, and the notes above`
  }
  if (endedBy instanceof BankError) {
    return `${bic} did not respond: ${endedBy.message}. Check the URL (havn bank list), the certificates (havn certificates show) and HAVN_BANK_CA_FILE`
  }
  return `The probe of ${bic} ended early: ${endedBy instanceof Error ? endedBy.message : String(endedBy)}`
}

function printFindings(report: ProbeReport): void {
  const { findings, notes } = report
  const rows = findings.map((one) => ({
    setting: one.setting,
    profile: one.profile,
    'answers suggest': one.suggested ?? 'unclear',
    '': isChange(one) ? 'CHANGE' : '',
    because: one.because,
  }))
  console.log(tableOf({ rows, whenEmpty: 'The responses suggest no settings.' }))
  console.log(['', ...notes.map(printableLine)].join('\n'))
  const changes = findings.filter(isChange).length
  if (changes > 0) {
    const settings = changes === 1 ? 'One setting' : `${changes} settings`
    console.log(`${settings} of the profile to change: see the lines marked CHANGE.`)
  } else if (report.endedBy === null && hasLearned(report)) {
    console.log('No response contradicts the profile.')
  }
}

function printRemaining(remaining: readonly RemainingResource[]): void {
  if (remaining.length === 0) {
    console.log('Nothing that the probe created remains at the bank.')
    return
  }
  const rows = remaining.map(({ service, product, id, requestId, state }) => ({
    service,
    product: product ?? '-',
    id: id ?? 'unknown',
    'x-request-id': requestId,
    state,
  }))
  const heading = 'At the bank remain, or may remain (cancel them in its netbank, or ask the bank with their ids):'
  console.log(`\n${heading}\n${tableOf({ rows, whenEmpty: '' })}`)
}
