/** Sends push notifications of status changes (lean push), and the browsers of scripted users back: once each, without waiting. */
import { request } from 'undici'
import { newId } from '../../gateway/platform/ids.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'

/** The subject of a notification: the SCA status, or the status of the resource. */
export type PushNotificationKind = 'SCA' | 'PROCESS'

/** Where a third party is notified, and of what. */
export type NotificationTarget = {
  readonly notification_uri: string | null
  readonly notification_content: string | null
}

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

/** The notification of a changed status of a payment, consent or basket. */
export function statusNotification(
  { notification_uri: uri, notification_content: content }: NotificationTarget,
  last: boolean,
  body: PushNotification['body'],
): PushNotification {
  return { uri, content, kind: 'PROCESS', last, body }
}

/** The redirect of a scripted user's browser; null where the bank returns no browser. */
export type BrowserReturn = { readonly kind: 'RETURN'; readonly uri: string | null }

export type PushMessage = PushNotification | BrowserReturn

export type PushSender = {
  /** Sends a notification if it was requested, or the browser; never waits and never throws. */
  send(message: PushMessage): void
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>
}

/** After this time the notification is dropped; the third party reads the status itself. */
const PUSH_TIMEOUT_MILLISECONDS = 2_000
const USER_AGENT = { 'user-agent': 'Havn sandbox' }
/** The content unless another was requested. */
const DEFAULT_CONTENT = 'status=SCA,PROCESS'

export function openPushSender(log: Log): PushSender {
  const underWay = new Set<Promise<void>>()
  return {
    send: (message) => {
      if (isWanted(message)) {
        const attempt = call(message, log).finally(() => underWay.delete(attempt))
        underWay.add(attempt)
      }
    },
    idle: async () => {
      await Promise.all(underWay)
    },
  }
}

/** The value of the header `ASPSP-Notification-Content`: what the bank will send. */
export function acceptedNotificationContent(wish: string | null): string {
  return wish ?? DEFAULT_CONTENT
}

function isWanted(message: PushMessage): boolean {
  if (message.kind === 'RETURN') {
    return message.uri !== null
  }
  const { uri, content, kind, last } = message
  const [, list = ''] = acceptedNotificationContent(content).split('=')
  const wanted = list.split(',').map((word) => word.trim())
  return uri !== null && (wanted.includes(kind) || (last && kind === 'PROCESS' && wanted.includes('LAST')))
}

async function call(message: PushMessage, log: Log): Promise<void> {
  const sent =
    message.kind === 'RETURN'
      ? ({ method: 'GET', headers: USER_AGENT } as const)
      : ({
          method: 'POST',
          headers: { ...USER_AGENT, 'content-type': 'application/json', 'x-request-id': newId() },
          body: JSON.stringify(message.body),
        } as const)
  try {
    const signal = AbortSignal.timeout(PUSH_TIMEOUT_MILLISECONDS)
    const { body } = await request(message.uri ?? '', { ...sent, signal })
    await body.dump()
  } catch (error) {
    log.debug({ err: error }, 'a status notification or a browser did not arrive')
  }
}
