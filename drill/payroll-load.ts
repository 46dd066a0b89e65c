/** Orders a payroll at a slow bank, so that the point in time of the restore is in the middle of its submission. */
import { nordicBank } from '../gateway/testing/banks/nordic-banks.ts'
import { acceptedWithoutBrowser } from '../gateway/testing/payments/payment-driver.ts'
import { BANKS_BY_SINGLE_MODE, samplePayroll } from '../gateway/testing/payrolls/payroll-submission-fixture.ts'
import type { HavnClient } from '../sdk/index.ts'
import { type InstallationSettings, urlOf } from './havn-installation.ts'

export const PAYROLL_BANK = nordicBank(BANKS_BY_SINGLE_MODE.baskets)
const TRANSACTIONS = 60
const PSU = { ipAddress: '127.0.0.1', userAgent: 'Mozilla/5.0 (drill)' }

/** Orders it, and returns once the bank has some of its transactions. */
export async function orderPayroll(
  client: HavnClient,
  settings: InstallationSettings,
  today: (timeZone: string) => Temporal.PlainDate,
): Promise<void> {
  const { bic, organizationNumber, users } = PAYROLL_BANK
  const consented = await acceptedWithoutBrowser({ client }, users[0], { bic, organizationNumber })
  await slowDownInitiations(settings, bic, { milliseconds: 300, times: TRANSACTIONS })
  const amounts = Array.from({ length: TRANSACTIONS }, (_, n) => `${5_000 + n}.33`)
  const body = samplePayroll({ context: { clock: { today } } }, PAYROLL_BANK, amounts, 'drill')
  await client.initiatePayroll({ consentId: consented.consentId, psu: PSU, body })
  while ((await ordersAt(settings, bic)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Delays the next answers of a bank to initiations. */
export async function slowDownInitiations(
  { ports }: InstallationSettings,
  bank: string,
  slow: { readonly milliseconds: number; readonly times: number },
): Promise<void> {
  await fetch(`${urlOf(ports.pages)}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bank, operation: 'initiatePayment', effect: 'slow', ...slow }),
  })
}

/** An order in the ledger of a bank. */
export type OrderAtBank = { readonly requestId: string; readonly amount: string }

/** All orders that a bank holds. */
export async function ordersAt({ ports }: InstallationSettings, bic: string): Promise<readonly OrderAtBank[]> {
  const answer = await fetch(`${urlOf(ports.pages)}/control/payments?bank=${bic}`)
  return (await answer.json()) as readonly OrderAtBank[]
}
