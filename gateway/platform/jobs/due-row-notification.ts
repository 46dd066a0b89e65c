/** Notifies workers by NOTIFY that rows may have become due. Delivery is not guaranteed: workers also poll. */
import { setTimeout as pause } from 'node:timers/promises'
import { aborted } from 'node:util'
import pg from 'pg'
import { connectionOptions, limitAnswerTime } from '../database/connection-errors.ts'
import type { Database } from '../database/database.ts'
import { type PoolMode, poolModeOf } from '../database/pool-mode.ts'
import type { Log } from '../observability/log.ts'

const CHANNEL = 'havn_due'
/** Several events in quick succession are one notification: PostgreSQL delivers them one after the other. */
const APART_MILLISECONDS = 50
const RECONNECT_MILLISECONDS = 5_000
const HEARTBEAT_MILLISECONDS = 10_000

/** Creates the function that notifies. It never throws and returns at once. */
export function createDueNotifier({ pool }: Database<unknown>, log: Log): () => void {
  let isSending = false
  let isRequestedAgain = false
  const send = async (): Promise<void> => {
    isSending = true
    do {
      isRequestedAgain = false
      await notifyDue({ pool }).catch((error: unknown) => log.debug({ error }, 'workers could not be notified'))
      await pause(APART_MILLISECONDS, undefined, { ref: false })
    } while (isRequestedAgain)
    isSending = false
  }
  return () => {
    isRequestedAgain = true
    if (!isSending) {
      void send()
    }
  }
}

/** Notifies once. */
export async function notifyDue({ pool }: Pick<Database<unknown>, 'pool'>): Promise<void> {
  await pool.query(`select pg_notify('${CHANNEL}', '')`)
}

/** A LISTEN connection. */
export type DueListener = {
  /** Whether a notification has arrived on this connection: behind some poolers none ever does. */
  isHeard(): boolean
  close(): Promise<void>
}

/** Where a listener connects, and by what it notifies itself to see whether it hears. */
type ListenerSettings = Pick<Database<unknown>, 'pool'> & {
  readonly connectionString: string
  readonly poolMode: PoolMode
  readonly log: Log
  /** Between two connections. */
  readonly reconnectMilliseconds?: number
  readonly answerMilliseconds?: number
  /** Between two statements that show whether the server still answers: without one silence would be no news. */
  readonly heartbeatMilliseconds?: number
}

/**
 * Listens on a dedicated connection, which is replaced when it ends. A pooler in transaction mode forwards no
 * notifications, and the connection of the server that executed LISTEN would gather them: there it does not listen.
 */
export function listenForDue(
  { connectionString, poolMode, pool, log, ...intervals }: ListenerSettings,
  onDue: () => void,
): DueListener {
  const { reconnectMilliseconds = RECONNECT_MILLISECONDS, heartbeatMilliseconds = HEARTBEAT_MILLISECONDS } = intervals
  const closing = new AbortController()
  let isHeard = false
  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString,
      application_name: 'havn due listener',
      ...connectionOptions(intervals.answerMilliseconds),
    })
    limitAnswerTime(client, intervals.answerMilliseconds)
    let heartbeat: NodeJS.Timeout | undefined
    const ended = new Promise<void>((resolve) => client.once('end', resolve).on('error', () => resolve()))
    client.on('notification', () => {
      isHeard = true
      onDue()
    })
    try {
      await client.connect()
      if ((await poolModeOf(client, poolMode)) !== 'session') {
        log.info('due rows are polled, because a pooler forwards no notifications: see HAVN_DATABASE_LISTEN_URL')
        await client.end()
        await aborted(closing.signal, closing.signal)
        return
      }
      await client.query(`listen ${CHANNEL}`)
      await notifyDue({ pool })
      heartbeat = setInterval(() => void client.query('select 1').catch(() => undefined), heartbeatMilliseconds)
      await Promise.race([ended, aborted(closing.signal, closing.signal)])
    } finally {
      isHeard = false
      clearInterval(heartbeat)
      // Not gracefully, which would wait for a server that may be gone.
      client.connection.stream.destroy()
    }
  }
  const listen = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await listenOnce().catch((error: unknown) =>
        log.warn({ error }, 'the connection that listens for due rows failed'),
      )
      await pause(reconnectMilliseconds, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const listening = listen()
  return {
    isHeard: () => isHeard,
    close: async () => {
      closing.abort()
      await listening
    },
  }
}
