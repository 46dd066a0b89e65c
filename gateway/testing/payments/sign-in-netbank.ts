/** Signs a payment in its bank's own online banking, for tests that need a signed payment, however it was signed. */
import type { PaymentStatus } from '../../../contract/payments/payment-status.ts'
import { openSandboxBankControl } from '../banks/sandbox-bank-control.ts'
import { eventually } from '../gateway/eventually.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** Signs with all signatures that it lacks, and polls it: without approval and pages of the bank. Returns the status. */
export async function signInNetbank(
  { bank, client, context }: Pick<TestGateway, 'bank' | 'client' | 'context'>,
  paymentId: string,
): Promise<PaymentStatus> {
  await openSandboxBankControl(bank).signInNetbank(await bankPaymentIdOf({ context }, paymentId))
  // As after an approval: at some banks the status of a payment for a later day does not show the signature.
  const due = `update payments set signed = true, signed_at = coalesce(signed_at, $2::timestamptz), poll_at = $2,
    lease_until = null where id = $1`
  // The bank's notification may arrive during the poll; then that poll is dropped, and the next one counts.
  return await eventually(async () => {
    await context.database.pool.query(due, [paymentId, context.clock.now().toString()])
    const status = await client.getPaymentStatus({ params: { paymentId } })
    if (status.status === 'Unsigned') {
      throw new Error(`The payment ${paymentId} is still unsigned`)
    }
    return status
  })
}

/** The id of its order at the bank; empty without one. */
export async function bankPaymentIdOf({ context }: Pick<TestGateway, 'context'>, paymentId: string): Promise<string> {
  const { rows } = await context.database.pool.query<{ id: string | null }>(
    'select bank_payment_id as id from payments where id = $1',
    [paymentId],
  )
  return rows[0]?.id ?? ''
}
