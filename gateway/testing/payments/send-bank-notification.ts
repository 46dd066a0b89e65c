/** Sends a notification about a payment, as its bank would. */
import { hashToken, newToken } from '../../platform/ids.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** Replaces the payment's notification URL, which only the bank knows, and sends there. Returns the status code. */
export async function sendBankNotification(
  { context, fetch }: Pick<TestGateway, 'context' | 'fetch'>,
  paymentId: string,
  body: object,
): Promise<number> {
  const token = newToken()
  const { rows } = await context.database.pool.query<{ partnerId: string }>(
    `update payments set notification_token_hash = $2, bank_notified_at = null where id = $1
     returning partner_id as "partnerId"`,
    [paymentId, hashToken(token)],
  )
  const { status } = await fetch(`/hints/payments/${rows[0]?.partnerId}/${paymentId}/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return status
}
