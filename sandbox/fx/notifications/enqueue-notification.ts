/** Enqueues a push notification in the transaction of the change; it is delivered afterwards. */
import { newId } from '../../../gateway/platform/ids.ts'
import type { BooksTransaction } from '../context.ts'

/** `type` combines the message type and the notification type, e.g. `payment/payment_failed`. */
export type NewNotification = {
  readonly type: `${'payment' | 'conversion' | 'cash_manager_transaction'}/${string}`
  readonly body: object
  readonly at: Temporal.Instant
}

export async function enqueueNotification(books: BooksTransaction, { type, body, at }: NewNotification): Promise<void> {
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
