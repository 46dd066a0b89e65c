/** Records which sockets the work of a test opens, and none of what other files of the process have left. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

export type OpenedSockets = {
  /** In the order in which they were opened. */
  readonly sockets: Socket[]
  /** Runs work whose sockets are recorded. */
  during<Result>(work: () => Result): Result
  close(): void
}

/** Starts to record; close it at the end. */
export function recordOpenedSockets(): OpenedSockets {
  const recorded = new AsyncLocalStorage<boolean>()
  const sockets: Socket[] = []
  const record = (message: unknown) => {
    if (recorded.getStore() === true && message instanceof Object && 'socket' in message) {
      sockets.push(...[message.socket].filter((socket) => socket instanceof Socket))
    }
  }
  subscribe('net.client.socket', record)
  return {
    sockets,
    during: (work) => recorded.run(true, work),
    close: () => void unsubscribe('net.client.socket', record),
  }
}
