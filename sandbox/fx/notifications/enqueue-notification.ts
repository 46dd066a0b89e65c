/** Keeps a push notification in the transaction that makes it true; it is sent afterwards. */
import { newId } from '../../../gateway/platform/ids.ts'
import type { Books } from '../provider-context.ts'

/** `type` is the message's type and the notification's, e.g. `payment/payment_failed`. */
export type Notice = {
  readonly type: `${'payment' | 'conversion' | 'cash_manager_transaction'}/${string}`
  readonly body: object
  readonly at: Temporal.Instant
}

export async function keepNotice(books: Books, { type, body, at }: Notice): Promise<void> {
  const [messageType, word] = type.split('/')
  const header = { message_type: messageType, notification_type: `${word}_notification` }
  await books
    .insertInto('notices')
    .values({
      id: newId(),
      type: header.notification_type,
      body: JSON.stringify({ header, body }),
      attempts: 0,
      status: 'waiting',
      created_at: at.toString(),
      due_at: at.toString(),
    })
    .execute()
}
