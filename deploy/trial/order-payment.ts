/** Orders payments through an installation, on days on which banks execute them. */
import { nextBankMorning } from '../../gateway/testing/gateway/start-on-bank-day.ts'
import { type acceptedConsent, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'
import type { HavnClient } from '../../sdk/index.ts'

type Consented = Awaited<ReturnType<typeof acceptedConsent>>

/** The next bank day by the clock of the sandbox. */
export async function nextDueDate(client: HavnClient): Promise<string> {
  const { now } = await client.getSandboxClock()
  const today = Temporal.Instant.from(now).toZonedDateTimeISO('Europe/Oslo').toPlainDate()
  return nextBankMorning(today).toString().slice(0, 10)
}

/** Returns the id of the payment. */
export async function orderPayment(client: HavnClient, consent: Consented, dueDate: string): Promise<string> {
  const today = () => Temporal.PlainDate.from(dueDate)
  const body = domesticPayment({ context: { clock: { today } } }, { dueDate })
  return (await client.initiateDomesticPayment({ ...consent, body })).paymentId
}
