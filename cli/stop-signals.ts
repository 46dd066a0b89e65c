/** Watches the signals that end a command: the first one lets it end what it has begun, a second one does not wait for that. */
import { secondSignal } from '../gateway/platform/second-signal.ts'

/** Calls one function at the first of these signals, and another one at a second; returns how that ends. */
export function onStopSignals(names: readonly NodeJS.Signals[], first: () => void, second: () => void): () => void {
  const isSecond = secondSignal()
  let isFirst = true
  const handle = () => {
    if (isSecond()) {
      second()
    } else if (isFirst) {
      isFirst = false
      first()
    }
  }
  for (const name of names) {
    process.on(name, handle)
  }
  return () => {
    for (const name of names) {
      process.off(name, handle)
    }
  }
}
