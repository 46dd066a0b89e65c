/** Creates the SCA sessions to measure: approvals of new payments at banks of the sandbox. */
import type { Sca } from '../../contract/sca.ts'
import type { PreferredScaMethod } from '../../contract/shapes.ts'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { type NordicBank, nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../gateway/testing/banks/sandbox-bank-control.ts'
import { acceptedWithoutBrowser, fromAccount, toAccount } from '../../gateway/testing/payments/payment-driver.ts'
import { CALLBACK, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { callsByOperation, sumOf } from '../environment/sandbox-bank.ts'

/** An approval that awaits its user. */
export type Started = { readonly id: string; readonly paymentId: string; readonly sca: Sca | undefined }

export type ScaFixture = {
  readonly havn: RunningHavn
  readonly control: SandboxBankControl
  /** Initiates a unique payment. */
  initiate(bank: NordicBank): Promise<string>
  approve(bank: NordicBank, paymentId: string, preferredScaMethod?: PreferredScaMethod): Promise<Started>
  /** Initiates a unique payment, and starts its approval. */
  approveNew(bank: NordicBank, preferredScaMethod?: PreferredScaMethod): Promise<Started>
  read(bank: NordicBank, approvalId: string): Promise<{ readonly sca?: Sca }>
}

/** The banks of the SCA approaches: redirect, app, and codes. */
const BANKS = ['FJORNO22', 'KATTDK22', 'VASASESS', 'MALBSESS']

export async function openScaFixture(havn: RunningHavn): Promise<ScaFixture> {
  const { client } = havn
  const clock = movableClock()
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], clock.today('Europe/Helsinki').add({ days: 1 })).toString()
  const consents = new Map<string, Awaited<ReturnType<typeof acceptedWithoutBrowser>>>()
  for (const bank of BANKS.map(nordicBank)) {
    consents.set(bank.bic, await acceptedWithoutBrowser(havn, bank.users[0], bank))
  }
  const consentOf = ({ bic }: NordicBank) => {
    const consent = consents.get(bic)
    if (consent === undefined) {
      throw new Error(`Nobody has a consent at ${bic}`)
    }
    return consent
  }
  let count = 0
  const initiate = async (bank: NordicBank) => {
    count += 1
    const order = domesticPayment({ context: { clock } }, { dueDate, ...fromAccount(bank, bank.main) })
    const { paymentId } = await client.initiateDomesticPayment({
      ...consentOf(bank),
      body: {
        ...order,
        ...toAccount(bank.supplier, bank.supplierName),
        amount: { amount: (1 + count / 100).toFixed(2), currency: bank.currency },
        remittanceInformation: { type: 'message', value: `Order ${count}` },
      },
    })
    return paymentId
  }
  const approve = async (bank: NordicBank, paymentId: string, preferredScaMethod?: PreferredScaMethod) => {
    const requested = {
      payments: [paymentId],
      callbackUrl: CALLBACK,
      ...(preferredScaMethod && { preferredScaMethod }),
    }
    const { id, sca } = await client.approvePayments({ ...consentOf(bank), body: requested })
    return { id, paymentId, sca }
  }
  return {
    havn,
    control: openSandboxBankControl({ pagesUrl: havn.bankUrl }),
    initiate,
    approve,
    approveNew: async (bank, preferredScaMethod) => approve(bank, await initiate(bank), preferredScaMethod),
    read: (bank, approvalId) => client.getPaymentApproval({ ...consentOf(bank), params: { approvalId } }),
  }
}

/** The bank's authorisation behind a hosted link, and its redirect URL. */
export async function authorisationOf(
  { database }: RunningHavn,
  link: string,
): Promise<{ readonly id: string; readonly back: string }> {
  const [, scaSessionId] = /\/signing\/[^/]+\/([^/]+)\//.exec(link) ?? []
  const { rows } = await database.pool.query<{ id: string; back: string | null }>(
    `select a.id, a.redirect_uri as back from sca_steps s
     join sandbox_bank.authorisations a on a.id::text = s.authorisation_id
     where s.sca_session_id = $1 and s.state = 'open'`,
    [scaSessionId],
  )
  const [row] = rows
  if (row === undefined) {
    throw new Error(`Nothing is open at the bank for ${link}`)
  }
  return { id: row.id, back: row.back ?? '' }
}

/** Calls to the bank about SCA. */
export type ScaCallFigures = {
  /** Caused by reads of the approval. */
  readonly readings: number
  /** Further calls where the image has its own URL. */
  readonly images: number
  /** By the worker, which polls sessions that are not read. */
  readonly sweep: number
}

const READING = /^get\w*Authorisation/
const IMAGE = 'getCodeImage'

/** Since the programs began. */
export async function scaCallsTo({ bic }: NordicBank, { url, workerUrl }: RunningHavn): Promise<ScaCallFigures> {
  const ofGateway = await callsByOperation(url, bic)
  const ofWorker = await callsByOperation(workerUrl, bic)
  const isReading = (operation: string) => READING.test(operation)
  return {
    readings: sumOf(ofGateway, isReading),
    images: ofGateway.get(IMAGE) ?? 0,
    sweep: sumOf(ofWorker, isReading) + (ofWorker.get(IMAGE) ?? 0),
  }
}

/** The difference between two readings, per session and second. */
export function perSessionAndSecond(before: ScaCallFigures, after: ScaCallFigures, seconds: number): ScaCallFigures {
  return {
    readings: (after.readings - before.readings) / seconds,
    images: (after.images - before.images) / seconds,
    sweep: (after.sweep - before.sweep) / seconds,
  }
}
