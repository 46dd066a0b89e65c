/** Interrupts the database under load: every answer is a payment or a JSON 503 that says when to repeat the request. */
import { setTimeout as pause } from 'node:timers/promises'
import { sandboxClient } from '../../gateway/testing/gateway/sandbox-client.ts'
import { nextBankMorning } from '../../gateway/testing/gateway/start-on-bank-day.ts'
import { acceptedConsent, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'
import { type HavnClient, HavnError } from '../../sdk/index.ts'
import type { Installation } from './start-installation.ts'

const CALLERS = 4
const SECONDS_MAX = 60
const POLL_MILLISECONDS = 100

/** Returns what was seen. Throws at an answer that is neither, and where payments are not taken again within a minute. */
export async function interruptDatabase(url: string, { interruptions }: Installation): Promise<string> {
  const client = sandboxClient(url)
  const consent = await acceptedConsent({ client })
  const dueDate = await nextDueDate(client)
  const order = () => outcomeOf(orderPayment(client, consent, dueDate))
  const seen: string[] = []
  for (const [name, interrupt] of Object.entries(interruptions)) {
    const counts = { paid: 0, unavailable: 0 }
    let isInterrupted = true
    const call = async () => {
      while (isInterrupted) {
        counts[await order()] += 1
      }
    }
    const callers = Promise.allSettled(Array.from({ length: CALLERS }, call))
    await interrupt()
    const since = performance.now()
    while ((await order()) !== 'paid') {
      if (performance.now() - since > SECONDS_MAX * 1_000) {
        throw new Error(`No payment was taken within ${SECONDS_MAX} s of the ${name}`)
      }
      await pause(POLL_MILLISECONDS)
    }
    const seconds = (performance.now() - since) / 1_000
    isInterrupted = false
    const [failed] = (await callers).filter((caller) => caller.status === 'rejected')
    if (failed !== undefined) {
      throw new Error(`An answer during the ${name} was neither: ${String(failed.reason)}`)
    }
    seen.push(`${name}: ${counts.unavailable} answers 503, payments again after ${seconds.toFixed(1)} s`)
  }
  return seen.join('; ')
}

async function outcomeOf(order: Promise<unknown>): Promise<'paid' | 'unavailable'> {
  try {
    await order
    return 'paid'
  } catch (error) {
    // An error of the client that has a request id came as our JSON.
    const isOurs = error instanceof HavnError && error.svcRequestId !== undefined
    // The sandbox bank needs the database, too: where it was asked already, the answer names the payment.
    if (isOurs && error.status === 503 && (error.retryAfterSeconds ?? error.paymentId) !== undefined) {
      return 'unavailable'
    }
    throw error
  }
}

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
