/** Enqueues push notifications in the transaction of the change, and delivers due ones, each signed, with retries after 1, 2, 4, 8 and 16 seconds of business time. */

import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../gateway/platform/ids.ts'
import type { FailingRows } from '../due-rows.ts'
import { insertRow, selectRows, updateRow } from '../rows.ts'
import type { Context } from './context.ts'
import type { Notification } from './tables.ts'

/** `type` combines the message type and the notification type, e.g. `payment/payment_failed`. */
type NewNotification = {
  readonly type: `${'payment' | 'conversion' | 'cash_manager_transaction'}/${string}`
  readonly body: object
  readonly at: Temporal.Instant
}

export async function enqueueNotification(context: Context, { type, body, at }: NewNotification): Promise<void> {
  const [messageType, word] = type.split('/')
  const header = { message_type: messageType, notification_type: `${word}_notification` }
  await insertRow(context, 'notices', {
    id: newId(),
    type: header.notification_type,
    body: JSON.stringify({ header, body }),
    attempts: 0,
    status: 'waiting',
    created_at: at,
    due_at: at,
  })
}

/** Public: it only signs notifications about sandbox money. */
export const NOTIFICATION_KEY = 'havn-sandbox-fx-notice-key'
const FORGED_KEY = 'not-the-key-that-was-agreed-on'
/** The first attempt and five retries. */
const ATTEMPTS_MAX = 6
const TIMEOUT_MILLISECONDS = 10_000
const AT_ONCE = 100

/** Delivers everything that is due and not set aside, until nothing is. */
export async function deliverNotifications(context: Context, failing: FailingRows): Promise<void> {
  let due: readonly Notification[]
  do {
    const where = [
      sql<boolean>`due_at <= ${context.clock.now().toString()}::timestamptz`,
      sql<boolean>`id::text <> all(${failing.setAside('notice')}::text[])`,
    ]
    due = await selectRows(context, 'notices', {}, { where, order: ['due_at', 'position'], limit: AT_ONCE })
    for (const notice of due) {
      await failing.attempt({ kind: 'notice', id: notice.id }, () => attempt(context, notice))
    }
  } while (due.length > 0)
}

/** HMAC of the body, for the header `x-hmac-digest-sha-512`. */
export function digestOf(body: string, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex')
}

async function attempt(context: Context, notice: Notification): Promise<void> {
  const attempts = notice.attempts + 1
  const isDelivered = await isAccepted(context, notice.body)
  const isLast = attempts >= ATTEMPTS_MAX || context.notices.url === null
  const again = context.clock.now().add({ seconds: 2 ** (attempts - 1) })
  const status = isDelivered ? 'delivered' : isLast ? 'failed' : 'waiting'
  const due_at = status === 'waiting' ? again : null
  await updateRow(context, 'notices', notice, { attempts, status, due_at })
}

async function isAccepted({ notices: { url }, faults, log }: Context, body: string): Promise<boolean> {
  if (url === null || faults.take('notice-lost') !== undefined) {
    return false
  }
  const key = faults.take('notice-forged') === undefined ? NOTIFICATION_KEY : FORGED_KEY
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hmac-digest-sha-512': digestOf(body, key) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch (error) {
    log.debug({ err: error }, 'a notification did not arrive')
    return false
  }
}
