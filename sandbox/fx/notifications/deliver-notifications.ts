/** Sends push notifications that are due, each signed, and again after 1, 2, 4, 8 and 16 seconds of business time. */
import { createHmac } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { ProviderContext } from '../provider-context.ts'
import type { NoticeTable } from '../tables.ts'

/** Everybody knows it: it vouches for invented money only. */
export const NOTICE_KEY = 'havn-sandbox-fx-notice-key'
const FORGED_KEY = 'not-the-key-that-was-agreed-on'
/** The first, and five more. */
const ATTEMPTS_MAX = 6
const TIMEOUT_MILLISECONDS = 10_000
const AT_ONCE = 100

type Notice = Selectable<NoticeTable>

/** Sends everything that is due now; answers how many were. */
export async function deliverNotices(context: ProviderContext): Promise<number> {
  const due = await context.database.query
    .selectFrom('notices')
    .selectAll()
    .where(sql<boolean>`due_at <= ${context.clock.now().toString()}::timestamptz`)
    .orderBy('due_at')
    .orderBy('position')
    .limit(AT_ONCE)
    .execute()
  for (const notice of due) {
    await attempt(context, notice)
  }
  return due.length
}

/** The HMAC of the body, as the header `x-hmac-digest-sha-512` carries it. */
export function digestOf(body: string, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex')
}

async function attempt(context: ProviderContext, notice: Notice): Promise<void> {
  const attempts = notice.attempts + 1
  const isDelivered = await isTaken(context, notice.body)
  const isLast = attempts >= ATTEMPTS_MAX || context.notices.url === null
  const again = context.clock.now().add({ seconds: 2 ** (attempts - 1) })
  const status = isDelivered ? 'delivered' : isLast ? 'failed' : 'waiting'
  await context.database.query
    .updateTable('notices')
    .set({ attempts, status, due_at: status === 'waiting' ? again.toString() : null })
    .where('id', '=', notice.id)
    .execute()
}

async function isTaken({ notices: { url }, faults, log }: ProviderContext, body: string): Promise<boolean> {
  if (url === null || faults.take('notice-lost') !== undefined) {
    return false
  }
  const key = faults.take('notice-forged') === undefined ? NOTICE_KEY : FORGED_KEY
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
