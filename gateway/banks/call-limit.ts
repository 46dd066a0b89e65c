/** Lets so many calls at once through to each bank, and so many wait for so long; the rest are turned away. */
import { BankUnreachable } from './bank-refusal.ts'

type Waiting = { readonly admit: () => void }
type Gate = { underWay: number; readonly waiting: Set<Waiting> }

/** How many calls may be under way and wait, and for how long. */
export type CallLimits = {
  readonly callsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
}

/** Opens the gates. `enter` gives the function to call when done, or throws `BankUnreachable` with nothing sent. */
export function openCallLimit(limits: CallLimits): { enter(bic: string): Promise<() => void> } {
  const gateByBic = new Map<string, Gate>()
  return {
    enter: async (bic) => {
      const gate = gateByBic.get(bic) ?? { underWay: 0, waiting: new Set() }
      gateByBic.set(bic, gate)
      if (gate.underWay < limits.callsPerBankMax) {
        gate.underWay += 1
      } else {
        await queue(gate, limits)
      }
      return () => leave(gate)
    },
  }
}

/** Who waits is handed the place of the one who leaves, so `underWay` does not change. */
function queue(gate: Gate, limits: CallLimits): Promise<void> {
  if (gate.waiting.size >= limits.queuePerBankMax) {
    throw new BankUnreachable('Too many calls to the bank are waiting already', false)
  }
  return new Promise((resolve, reject) => {
    const waiting: Waiting = {
      admit: () => {
        clearTimeout(timer)
        resolve()
      },
    }
    const timer = setTimeout(() => {
      gate.waiting.delete(waiting)
      reject(new BankUnreachable('The calls to the bank that were under way left no room in time', false))
    }, limits.queueMilliseconds)
    gate.waiting.add(waiting)
  })
}

function leave(gate: Gate): void {
  const [next] = gate.waiting
  if (next === undefined) {
    gate.underWay -= 1
  } else {
    gate.waiting.delete(next)
    next.admit()
  }
}
