/** Tells a third party that a status changed (lean push): one attempt, a short wait, the answer ignored. */
import { newId } from '../../gateway/platform/ids.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'

/** What a notification is about: the signing, or the resource itself. */
export type NoticeKind = 'SCA' | 'PROCESS'

/** A change that somebody may have asked to be told of. */
export type Notice = {
  readonly uri: string | null
  /** The third party's wish, such as `status=SCA,LAST`; null leaves it to the bank. */
  readonly content: string | null
  readonly kind: NoticeKind
  /** Whether the resource reached its last status. */
  readonly last: boolean
  readonly body: Readonly<Record<string, string>>
}

export type Push = {
  /** Sends what was asked for; never waits and never fails. */
  send(notices: readonly Notice[]): void
  /** Ends when nothing is under way any more. */
  idle(): Promise<void>
}

/** A third party that does not answer within this time has not been told; it will read the status itself. */
const PUSH_TIMEOUT_MILLISECONDS = 2_000
/** What the bank tells unless asked otherwise. */
const DEFAULT_CONTENT = 'status=SCA,PROCESS'

/** Opens the way out for notifications. */
export function openPush(log: Log): Push {
  const underWay = new Set<Promise<void>>()
  const send = (notices: readonly Notice[]) => {
    for (const { uri, body } of notices.filter(isWanted)) {
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

/** What the bank promises to tell, as the header `ASPSP-Notification-Content` says it. */
export function promisedContent(wish: string | null): string {
  return wish ?? DEFAULT_CONTENT
}

function isWanted({ uri, content, kind, last }: Notice): boolean {
  const [, list = ''] = promisedContent(content).split('=')
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
