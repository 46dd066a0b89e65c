/** Sends push notifications of status changes (lean push): one attempt, a short timeout, the response ignored. */
import { newId } from '../../gateway/platform/ids.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'

/** The subject of a notification: the SCA status, or the status of the resource. */
export type PushNotificationKind = 'SCA' | 'PROCESS'

/** A change that a third party may have requested notifications of. */
export type PushNotification = {
  readonly uri: string | null
  /** The requested content, such as `status=SCA,LAST`; null for the bank's default. */
  readonly content: string | null
  readonly kind: PushNotificationKind
  /** Whether the resource reached its final status. */
  readonly last: boolean
  readonly body: Readonly<Record<string, string>>
}

export type PushSender = {
  /** Sends the requested notifications; never waits and never throws. */
  send(notifications: readonly PushNotification[]): void
  /** Resolves when no notification is in flight. */
  idle(): Promise<void>
}

/** After this time the notification is dropped; the third party reads the status itself. */
const PUSH_TIMEOUT_MILLISECONDS = 2_000
/** The content unless another was requested. */
const DEFAULT_CONTENT = 'status=SCA,PROCESS'

export function openPushSender(log: Log): PushSender {
  const underWay = new Set<Promise<void>>()
  const send = (notifications: readonly PushNotification[]) => {
    for (const { uri, body } of notifications.filter(isWanted)) {
      const attempt = post(uri ?? '', body, log).finally(() => underWay.delete(attempt))
      underWay.add(attempt)
    }
  }
  return {
    send,
    idle: async () => {
      await Promise.all(underWay)
    },
  }
}

/** The value of the header `ASPSP-Notification-Content`: what the bank will send. */
export function acceptedNotificationContent(wish: string | null): string {
  return wish ?? DEFAULT_CONTENT
}

function isWanted({ uri, content, kind, last }: PushNotification): boolean {
  const [, list = ''] = acceptedNotificationContent(content).split('=')
  const wanted = list.split(',').map((word) => word.trim())
  return uri !== null && (wanted.includes(kind) || (last && kind === 'PROCESS' && wanted.includes('LAST')))
}

async function post(uri: string, body: Readonly<Record<string, string>>, log: Log): Promise<void> {
  try {
    const answer = await fetch(uri, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': newId() },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(PUSH_TIMEOUT_MILLISECONDS),
    })
    await answer.body?.cancel()
  } catch (error) {
    log.debug({ err: error }, 'a status notification did not arrive')
  }
}
