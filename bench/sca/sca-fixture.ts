/** What users sign while signing is measured: approvals of fresh payments at banks of the sandbox, and what the bank holds of them. */
import type { Sca } from '../../contract/sca.ts'
import type { PreferredScaMethod } from '../../contract/shapes.ts'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { type NordicBank, nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { type AtBank, atBank } from '../../gateway/testing/banks/sandbox-bank-control.ts'
import { acceptedWithoutBrowser, fromAccount, toAccount } from '../../gateway/testing/payments/payment-driver.ts'
import { CALLBACK, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'
import type { RunningHavn } from '../environment/running-havn.ts'

/** An approval that waits for its user. */
export type Started = { readonly id: string; readonly paymentId: string; readonly sca: Sca | undefined }

/** Everybody who takes part. */
export type SigningWorld = {
  readonly havn: RunningHavn
  readonly control: AtBank
  /** Orders a payment that nobody else has ordered like this, and starts its approval. */
  approve(bank: NordicBank, preferredScaMethod?: PreferredScaMethod): Promise<Started>
  /** The approval as its partner reads it. */
  read(bank: NordicBank, approvalId: string): Promise<{ readonly sca?: Sca }>
}

/** Where users sign: on the bank's pages, in its app, and by codes. */
const BANKS = ['FJORNO22', 'KATTDK22', 'VASASESS', 'MALBSESS']

export async function openSigningWorld(havn: RunningHavn): Promise<SigningWorld> {
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
  return {
    havn,
    control: atBank({ pagesUrl: havn.bankUrl }),
    approve: async (bank, preferredScaMethod) => {
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
      const asked = { payments: [paymentId], callbackUrl: CALLBACK, ...(preferredScaMethod && { preferredScaMethod }) }
      const { id, sca } = await client.approvePayments({ ...consentOf(bank), body: asked })
      return { id, paymentId, sca }
    },
    read: (bank, approvalId) => client.getPaymentApproval({ ...consentOf(bank), params: { approvalId } }),
  }
}

/** The authorisation at the bank that a link of ours has led to, and where that sends the browser back. */
export async function authorisationOf(
  { database }: RunningHavn,
  link: string,
): Promise<{ readonly id: string; readonly back: string }> {
  const [, signingId] = /\/signing\/[^/]+\/([^/]+)\//.exec(link) ?? []
  const { rows } = await database.pool.query<{ id: string; back: string | null }>(
    `select a.id, a.redirect_uri as back from signing_steps s
     join sandbox_bank.authorisations a on a.id::text = s.authorisation_id
     where s.signing_id = $1 and s.state = 'open'`,
    [signingId],
  )
  const [row] = rows
  if (row === undefined) {
    throw new Error(`Nothing is open at the bank for ${link}`)
  }
  return { id: row.id, back: row.back ?? '' }
}
