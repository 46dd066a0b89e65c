/** Creates what several checks of a run share, such as a token or a consent, once and when it is first needed. */
import type { CheckContext } from '../check.ts'

/** Returns it, creating it at the first call of a run. A failure is that of every check that needs it. */
export type Subject<Value> = (context: CheckContext) => Promise<Value>

export function subject<Value>(create: Subject<Value>): Subject<Value> {
  const created = new WeakMap<object, Promise<Value>>()
  return (context) => {
    const value = created.get(context.run) ?? create(context)
    created.set(context.run, value)
    return value
  }
}
