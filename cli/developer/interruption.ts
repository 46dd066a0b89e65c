/** Notices that a command is to end: by Ctrl-C, or because the reader of its output has ended. */
import { secondSignal } from '../../gateway/platform/second-signal.ts'
import { EXIT_CODES } from './command-error.ts'

export type Interruption = {
  readonly signal: AbortSignal
  /** Whether the reader of the output is still there. */
  isRead(): boolean
  close(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal lets the command end what it has begun; a second one does not wait for that. */
export function watchInterruption(): Interruption {
  const interrupted = new AbortController()
  const isSecond = secondSignal()
  let isRead = true
  const interrupt = () => {
    if (isSecond()) {
      process.exit(EXIT_CODES.interrupted[0])
    }
    interrupted.abort()
  }
  const endUnread = () => {
    isRead = false
    interrupted.abort()
  }
  for (const name of SIGNALS) {
    process.on(name, interrupt)
  }
  process.on('SIGPIPE', endUnread)
  return {
    signal: interrupted.signal,
    isRead: () => isRead,
    close: () => {
      for (const name of SIGNALS) {
        process.off(name, interrupt)
      }
      process.off('SIGPIPE', endUnread)
    },
  }
}
