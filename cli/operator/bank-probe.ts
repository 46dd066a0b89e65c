/** `havn bank probe`: sends read-only requests to a bank and suggests settings for its profile. */
import { BankError } from '../../gateway/banks/connector/bank-error.ts'
import { isChange, type ProbeReport } from '../../gateway/banks/connector/probe-report.ts'
import { tableOf } from './print-table.ts'
import { withGatewayContext } from './with-gateway-context.ts'

export type ProbeOptions = {
  readonly userId?: string
  readonly organisationNumber?: string
  readonly calls?: boolean
}

export async function printProbe(bic: string, typed: ProbeOptions, environment: NodeJS.ProcessEnv): Promise<void> {
  const { userId = null, organisationNumber = null, calls = false } = typed
  await withGatewayContext(environment, async ({ banks }) => {
    const report = await banks.probe(bic, { userId, organisationNumber }).catch((error: unknown) => {
      throw error instanceof BankError ? new Error(unreachable(bic, error), { cause: error }) : error
    })
    printReport(report, calls)
  })
}

function unreachable(bic: string, { message }: BankError): string {
  return `${bic} did not respond: ${message}. Check the URL (havn bank list), the certificates (havn certificates show) and HAVN_BANK_CA_FILE`
}

function printReport({ findings, notes, calls }: ProbeReport, withCalls: boolean): void {
  const rows = findings.map((one) => [
    one.setting,
    one.profile,
    one.suggested ?? 'unclear',
    isChange(one) ? 'CHANGE' : '',
    one.because,
  ])
  console.log(
    tableOf(['setting', 'profile', 'answers suggest', '', 'because'], rows, 'The responses suggest no settings.'),
  )
  console.log(['', ...notes].join('\n'))
  const changes = findings.filter(isChange).length
  console.log(
    changes === 0
      ? 'No response contradicts the profile.'
      : `${changes === 1 ? 'One setting' : `${changes} settings`} of the profile to change: see the lines marked CHANGE.`,
  )
  if (withCalls) {
    console.log(
      `\n${tableOf(
        ['request', 'response'],
        calls.map(({ call, answer }) => [call, answer]),
        'The bank was not called.',
      )}`,
    )
  }
}
