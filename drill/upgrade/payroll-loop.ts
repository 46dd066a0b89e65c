/** Pays one payroll after the other at a slow bank, so that every replaced worker has one in submission. */
import { waitUntil } from '../../gateway/platform/wait-until.ts'
import { acceptedWithoutBrowser } from '../../gateway/testing/payments/payment-driver.ts'
import { samplePayroll } from '../../gateway/testing/payrolls/payroll-submission-fixture.ts'
import type { HavnClient } from '../../sdk/index.ts'
import type { InstallationSettings } from '../havn-installation.ts'
import { CALLBACK, ordersAt, PAYROLL_BANK, PSU, slowDownInitiations, type Today } from '../payment-load.ts'
import type { LoadGate } from './load-gate.ts'

export type OrderedPayroll = { readonly payrollId: string; readonly amounts: readonly string[] }

type Loop = {
  readonly today: Today
  readonly isStopped: () => boolean
  readonly gate: LoadGate
  readonly payrolls: OrderedPayroll[]
  readonly problems: string[]
}

const TRANSACTIONS = 12
/** A bank gets four at once: a payroll takes three times as long, which is more than a turn of a worker. */
const SLOW_MILLISECONDS = 1_500
const PAUSE_MILLISECONDS = 250
/** Leases of a killed worker end within 20 seconds. */
const SUBMITTED_WITHIN_MILLISECONDS = 90_000

export async function payPayrolls(client: HavnClient, settings: InstallationSettings, loop: Loop): Promise<void> {
  const { bic, organizationNumber, users } = PAYROLL_BANK
  const { consentId } = await acceptedWithoutBrowser({ client }, users[0], { bic, organizationNumber })
  for (let n = 0; !loop.isStopped(); n += 1) {
    await loop.gate.pass(async () => {
      await payPayroll(client, settings, { consentId, number: n, ...loop }).catch((error: unknown) => {
        loop.problems.push(`Payroll ${n}: ${String(error)}`)
      })
    })
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
  }
}

async function payPayroll(
  client: HavnClient,
  settings: InstallationSettings,
  { consentId, number, today, payrolls }: Loop & { readonly consentId: string; readonly number: number },
): Promise<void> {
  const { bic, users } = PAYROLL_BANK
  const amounts = Array.from({ length: TRANSACTIONS }, (_, index) => `${100 + number * TRANSACTIONS + index}.33`)
  await slowDownInitiations(settings, bic, { milliseconds: SLOW_MILLISECONDS, times: TRANSACTIONS })
  const body = samplePayroll({ context: { clock: { today } } }, PAYROLL_BANK, amounts, `upgrade-${number}`)
  const { payrollId } = await client.initiatePayroll({ consentId, psu: PSU, body })
  payrolls.push({ payrollId, amounts })
  await untilSubmitted(settings, amounts)
  const approval = { payrolls: [payrollId], callbackUrl: CALLBACK }
  const { id } = await client.approvePayrolls({ consentId, psu: PSU, body: approval })
  const params = { approvalId: id, decision: 'sign' } as const
  await client.decideSandboxApproval({ params, body: { userId: users[0] } })
  await client.getPayrollStatus({ params: { payrollId } })
}

/** By the ledger of the bank: an approval would wait for it, and be answered with 503 after a while. */
async function untilSubmitted(settings: InstallationSettings, amounts: readonly string[]): Promise<void> {
  const isSubmitted = async () => {
    const held = new Set((await ordersAt(settings, PAYROLL_BANK.bic)).map(({ amount }) => Number(amount)))
    return amounts.every((amount) => held.has(Number(amount)))
  }
  const waiting = { withinMilliseconds: SUBMITTED_WITHIN_MILLISECONDS, everyMilliseconds: 500 }
  if (!(await waitUntil(isSubmitted, Boolean, waiting))) {
    throw new Error(`it was not submitted within ${SUBMITTED_WITHIN_MILLISECONDS / 1_000} seconds`)
  }
}
